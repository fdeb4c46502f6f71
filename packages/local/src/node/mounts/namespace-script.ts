/**
 * Runs inside of a fresh mount namespace (POSIX sh with util-linux): mounts a table, moves to the new root and becomes
 * the program. Arguments: new root or nothing, table, working directory, user and group to become again or nothing,
 * then the program. Exit code 125 is ours, as with `env` and `docker run`.
 */
export const NAMESPACE_SCRIPT: string = `
root=$1 table=$2 cwd=$3 uid=$4 gid=$5
shift 5
fail() { echo "cannot mount the volumes: $1 failed" >&2; exit 125; }
[ -z "$root" ] || mount --bind "$root" "$root" || fail 'binding the new root'
mount -a -T "$table" || fail 'mount'
if [ -n "$root" ]; then
  cd "$root" && pivot_root . . && umount -l . || fail 'changing the root'
fi
cd "$cwd" || fail "cd $cwd"
unshare=$(command -v unshare)
PATH=$TRAINJOB_PATH
unset TRAINJOB_PATH
[ -z "$uid" ] || exec "$unshare" --user --map-user="$uid" --map-group="$gid" -- "$@"
exec "$@"
`
