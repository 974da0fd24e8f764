# Runs in new namespaces of mounts, processes and the network: builds a machine that is this one with mail servers
# unpacked over it, and runs the test in it. Every write goes to memory, and no packet leaves.
#
# $1: an empty folder; $2: folders of unpacked packages, with blanks; $3: the test program; $4: turnpost; then the
# arguments of the test program.
set -eu
place=$1 packages=$2 test=$3 turnpost=$4
shift 4
ip link set lo up
mount -t tmpfs -o mode=0755 turnpost "$place"
mkdir "$place/upper" "$place/work" "$place/root"
# Copied, for the kernel wants no layer that lies inside another.
for package in $packages; do
    cp -a "$package/." "$place/upper/"
done
mount -t overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" turnpost "$place/root"
root=$place/root
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 turnpost "$root/tmp"
mount -t tmpfs -o mode=0755 turnpost "$root/run"
mount -t tmpfs -o mode=0755 turnpost "$root/usr/local/bin"
cp "$test" "$root/usr/local/bin/the-test"
cp "$turnpost" "$root/usr/local/bin/turnpost"
exec chroot "$root" /usr/local/bin/the-test "$@"
