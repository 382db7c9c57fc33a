#include "tests/support/disk.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <sqlite3.h>
#include <stdatomic.h>

#include "tests/support/test.h"

struct disk_file {
    sqlite3_file file;
    sqlite3_file *real; // behind this one, in the same block
};

static struct {
    atomic_int fault;
    atomic_long left, uses, syncs, strays, wait_ns;
    atomic_bool hurries;
} disk;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct disk_file *)file)->real;
}

// What a write or sync is to end with.
static int use(bool writes)
{
    atomic_fetch_add(&disk.uses, 1);
    const int fault = atomic_load(&disk.fault);
    if (fault == DISK_WELL || atomic_fetch_sub(&disk.left, 1) > 1) {
        return SQLITE_OK;
    }
    if (fault == DISK_FULL) {
        return writes ? SQLITE_FULL : SQLITE_OK;
    }
    if (fault == DISK_READ_ONLY) {
        return writes ? SQLITE_READONLY : SQLITE_OK;
    }
    return writes ? SQLITE_IOERR_WRITE : SQLITE_IOERR_FSYNC;
}

static int disk_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int disk_read(sqlite3_file *file, void *out, int size, sqlite3_int64 at)
{
    return real_of(file)->pMethods->xRead(real_of(file), out, size, at);
}

static int disk_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
    const int code = use(true);
    return code != SQLITE_OK ? code
                             : real_of(file)->pMethods->xWrite(real_of(file), bytes, size, at);
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static long now_ns(void)
{
    enum { NS = 1000000000 };
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS + now.tv_nsec;
}

static int do_sync(sqlite3_file *file, int flags)
{
    const long until = now_ns() + atomic_load(&disk.wait_ns);
    const int code = real_of(file)->pMethods->xSync(real_of(file), flags);
    const long left = until - now_ns();
    if (left > 0) {
        (void)nanosleep(&(struct timespec){.tv_nsec = left}, NULL);
    }
    return code;
}

static int disk_sync(sqlite3_file *file, int flags)
{
    const int code = use(false);
    atomic_fetch_add(&disk.syncs, 1);
    return code != SQLITE_OK || atomic_load(&disk.hurries) ? code : do_sync(file, flags);
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *out)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), out);
}

static int disk_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int disk_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int disk_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int disk_control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int disk_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int disk_traits(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int disk_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void disk_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int disk_shm_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods METHODS = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_traits,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    sqlite3_vfs *const real = vfs->pAppData;
    struct disk_file *const made = (struct disk_file *)file;
    made->real = (sqlite3_file *)(made + 1);
    const int code = real->xOpen(real, name, made->real, flags, out);
    atomic_fetch_add(&disk.strays, name == NULL ? 1 : 0);
    made->file.pMethods = code == SQLITE_OK ? &METHODS : NULL;
    return code;
}

void disk_install(void)
{
    static sqlite3_vfs vfs;
    sqlite3_vfs *const real = sqlite3_vfs_find(NULL);
    assert_non_null(real);
    vfs = *real; // all that is not about open files is asked of the real one as it is
    vfs.zName = "disk";
    vfs.pAppData = real;
    vfs.pNext = NULL;
    vfs.szOsFile = real->szOsFile + (int)sizeof(struct disk_file);
    vfs.xOpen = disk_open;
    assert_int_equal(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
}

void disk_fault(enum disk_fault fault, long n)
{
    atomic_store(&disk.left, n);
    atomic_store(&disk.fault, fault);
}

void disk_hurry(void)
{
    atomic_store(&disk.hurries, true);
}

long disk_strays(void)
{
    return atomic_load(&disk.strays);
}

long disk_uses(void)
{
    return atomic_load(&disk.uses);
}

void disk_wait(long ns)
{
    atomic_store(&disk.wait_ns, ns);
}

long disk_syncs(void)
{
    return atomic_load(&disk.syncs);
}
