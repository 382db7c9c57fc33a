//! One process a store: the library would let two in, and both would seal at one index.

use std::{
    fs::{File, OpenOptions, TryLockError, create_dir_all},
    io,
    path::Path,
};

/// Files that this process makes are its user's alone.
pub fn keep_private() {
    // SAFETY: umask() only sets a number of this process and cannot fail.
    unsafe { libc::umask(0o077) };
}

/// A service's signals go to all its processes; this one ends with the socket, behind its last ask.
pub fn outlive_signals() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: nothing of this process handles signals.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Held as long as the file is open; `None` where another process has it.
pub fn hold(folder: &Path) -> io::Result<Option<File>> {
    create_dir_all(folder)?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
