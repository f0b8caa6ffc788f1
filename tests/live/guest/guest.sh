#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Our camera drivers on those of Debian's kernel, in a virtual machine whose USB has an emulated PS3
# Eye and a UVC camera. No root, no disk, no network, no KVM.
#   guest.sh USB_CAMERA GUEST_CAMERA KERNEL FOLDER
# KERNEL: a linux-image package, unpacked; `./dev test --all` does that.
set -eu
usb_camera=$1 guest_camera=$2 kernel=$3 folder=$4
here=$(dirname "$(readlink -f "$0")")
image=$(find "$kernel/boot" -name 'vmlinuz-*' 2>/dev/null | head -n 1)
if [ -z "$image" ] || [ -z "$(command -v qemu-system-x86_64)" ]; then
    echo "no kernel for a guest: ./dev test --all fetches one"
    exit 77
fi
release=${image##*/vmlinuz-}
rm -rf "$folder"
mkdir -p "$folder/root"/{bin,dev,proc,sys,modules}
root=$folder/root

# ---- its only file system ----
cp "$here/init" "$root/init"
cp "$(command -v busybox)" "$root/bin/busybox"
cp "$guest_camera" "$root/guest_camera"
ldd "$guest_camera" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done
PATH=$PATH:/usr/sbin:/sbin
depmod -b "$kernel" "$release"
for module in xhci_pci gspca_ov534 uvcvideo; do
    modprobe -d "$kernel" -S "$release" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$folder/modules"
while read -r module; do
    cp "$module" "$root/modules/"
    echo "${module##*/}"
done <"$folder/modules" >"$root/modules/order"
(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$folder/initramfs"

# ---- its cameras ----
trap 'kill $eye $uvc 2>/dev/null || true' EXIT
"$usb_camera" ps3eye "$folder/eye" >"$folder/eye.txt" &
eye=$!
"$usb_camera" uvc "$folder/uvc" >"$folder/uvc.txt" &
uvc=$!
until [ -S "$folder/eye" ] && [ -S "$folder/uvc" ]; do sleep 0.1; done

# ---- itself ----
# Its processor is emulated: a /dev/kvm may be there and hang all the same.
qemu=(timeout 540 qemu-system-x86_64 -M q35 -accel tcg -cpu max -m 512 -display none -monitor none -no-reboot
    -kernel "$image" -initrd "$folder/initramfs" -append 'console=ttyS0 quiet panic=-1 mitigations=off'
    -serial stdio -device 'qemu-xhci,id=usb'
    -chardev "socket,id=eye,path=$folder/eye" -device 'usb-redir,chardev=eye,bus=usb.0'
    -chardev "socket,id=uvc,path=$folder/uvc" -device 'usb-redir,chardev=uvc,bus=usb.0')
"${qemu[@]}" </dev/null 2>&1 | while IFS= read -r line; do
    line=${line%$'\r'}
    echo "$line"
    [ "$line" != unplug ] || kill -USR1 $eye
done | tee "$folder/console.txt"
wait $eye $uvc || true
cat "$folder/eye.txt" "$folder/uvc.txt"
grep -qx 'the guest ends with 0' "$folder/console.txt"
rm -rf "$folder"
