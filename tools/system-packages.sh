#!/usr/bin/env bash
# system-packages.sh LIST...: install the Debian packages of tools/pins/apt-LIST.txt whose command or file is missing.
#
# Nothing is asked of apt when nothing is missing. Without apt, root or sudo the missing names are printed instead.
set -euo pipefail

present() { # present COMMAND-OR-PATH
  case $1 in
    /*) [ -e "$1" ] ;;
    @*) python3 -c "import ${1#@}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
for list in "$@"; do
  while read -r probe package; do
    present "$probe" || missing+=("$package")
  done < <(grep -v '^#' "tools/pins/apt-$list.txt")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi
if ! command -v apt-get >/dev/null || ! command -v "${as_root[0]:-env}" >/dev/null; then
  echo "Missing: ${missing[*]} (Debian's names). Install them, or run this as root or with sudo on Debian." >&2
  exit 1
fi
echo "installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }
apt update
apt install --yes --no-install-recommends "${missing[@]}"
