# shellcheck shell=bash
# For the programs beside it: a root of another Debian, made by mmdebstrap from the mirror of this
# machine, entered by chroot; it is gone when the program ends. Sourced from the repository's root.

cannot() {
    echo "${0##*/} cannot run: $1" >&2
    exit 1
}

# root_make RELEASE GB ARCHITECTURES PACKAGES: $root is it; $place beside it has room of ours. A folder MUNCHBOT_ROOTS keeps what
# mmdebstrap made for the next time.
root_make() {
    local mirror free
    [ "$(id -u)" = 0 ] || cannot "only root can make a root."
    deploy/install roots || cannot "mmdebstrap is missing."
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$') ||
        cannot "apt's sources of this machine name no mirror of Debian."
    unshare --mount --pid --fork true 2>/dev/null || cannot "this machine lets nobody unshare mounts."
    place=$(mktemp -d "${TMPDIR:-/var/tmp}/munchbot-root.XXXXXX") || cannot "no temporary folder could be made."
    trap 'rm -rf "$place"' EXIT
    trap 'exit 1' INT TERM HUP
    chmod 755 "$place"
    free=$(df --output=avail -BG "$place" | tail -n 1 | tr -dc 0-9)
    [ "$free" -ge "$2" ] || cannot "$place has $free GB free, and it takes $2: name another folder as TMPDIR."
    apt-config dump Acquire | grep -E '^Acquire::(http|https|Check|Retries)' >"$place/apt.conf"
    root=$place/root
    kept=${MUNCHBOT_ROOTS:-$place}/$(md5sum <<<"$1 $3 $4" | cut -c -16).tar
    [ -f "$kept" ] || mmdebstrap --quiet --variant=minbase --architectures="$3" --aptopt="$place/apt.conf" --include="$4" \
        "$1" "$kept" "$mirror" >"$place/log" 2>&1 || {
        rm -f "$kept"
        cat "$place/log" >&2
        cannot "mmdebstrap made no root of $1; the lines above say why."
    }
    mkdir "$root" && tar -C "$root" -xpf "$kept" || cannot "the root of $1 cannot be unpacked."
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # Whom this machine trusts, and what it says of registries.
    [ ! -f /etc/ssl/certs/ca-certificates.crt ] || install -D /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
    [ ! -f ~/.npmrc ] || cp ~/.npmrc "$root/root/.npmrc"
    git clone -q . "$root/root/munchbot" || cannot "this is no clone of the repository."
}

# in_root COMMAND...: in the clone there; its processes end with it.
# shellcheck disable=SC2016 # for the shell inside
in_root() {
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1 && shift
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
            exec env HOME=/root LANG=C.UTF-8 TMPDIR=/tmp PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
                chroot "$root" sh -c "cd /root/munchbot && exec \"\$@\"" sh "$@"' sh "$root" "$@"
}
