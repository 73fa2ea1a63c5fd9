#!/bin/sh
# Installs Sequence from the directory of its release, or updates it.
#
#     install.sh [PREFIX]
#
# PREFIX is the directory for bin, lib, libexec and share: ~/.local by default, or /usr/local for root. PREFIX/libexec/sequence
# keeps a list of the files that were installed, and "uninstall", which removes them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=@VERSION@
glibc=@GLIBC@

stop() {
  echo "install.sh: $*" >&2
  exit 1
}

case ${1:-} in
-*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
  exit 64
  ;;
'')
  if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
  ;;
/*) prefix=${1%/} ;;
*) prefix=$PWD/${1%/} ;;
esac
# Characters that the command line of a menu entry would need to escape.
case $prefix in
*[!A-Za-z0-9/._+,:@\ -]*) stop "the path $prefix has special characters; choose another one" ;;
esac

# The machine.
needs="Sequence $version needs Linux on x86_64 with glibc $glibc or newer"
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || stop "$needs, and this is $(uname -s) on $(uname -m)"
found=$(getconf GNU_LIBC_VERSION 2>/dev/null) || stop "$needs, and this system has another C library"
found=${found#glibc }
[ "$(printf '%s\n%s\n' "$glibc" "$found" | sort -V | head -n 1)" = "$glibc" ] || stop "$needs, and this is glibc $found"

# lacks PROGRAM: whether a program lacks a library, or the version that it needs.
lacks() {
  LD_TRACE_LOADED_OBJECTS=1 LD_BIND_NOW=1 LD_WARN=1 "$here/libexec/sequence/$1" 2>&1 \
    | grep -q -e 'not found' -e 'undefined symbol'
}
# advise APT DNF PACMAN ZYPPER: prints the command that installs a package.
advise() {
  if command -v apt-get >/dev/null; then
    echo "  sudo apt install $1"
  elif command -v dnf >/dev/null; then
    echo "  sudo dnf install $2"
  elif command -v pacman >/dev/null; then
    echo "  sudo pacman -S $3"
  elif command -v zypper >/dev/null; then
    echo "  sudo zypper install $4"
  else
    echo "  install $2 with the package manager of your distribution"
  fi
}

with_window=yes
if lacks sequence-agent; then
  echo "Without libnotify, no notifications are shown. To install it:"
  advise libnotify4 libnotify libnotify libnotify4
fi
if lacks sequence-sound; then
  echo "Without libcanberra, no sounds are played. To install it:"
  advise libcanberra0 libcanberra libcanberra libcanberra0
fi
if lacks sequence-window; then
  with_window=
  echo "Without libadwaita 1.2 and GTK 4.8, the window is not installed. To add it, run this and then install.sh again:"
  advise "libadwaita-1-0 librsvg2-common" libadwaita libadwaita libadwaita-1-0
fi

# The files, and the directories that were made for them.
list=$prefix/libexec/sequence/installed
old=$(cat "$list" 2>/dev/null || true)
new=
# make_directory PATH: makes a directory with the directories above it, and notes them.
make_directory() {
  [ ! -d "$1" ] || return 0
  make_directory "$(dirname "$1")"
  mkdir "$1"
  new="$new
directory $1"
}
# put MODE FILE PATH: installs a file. A program that is running is replaced, not overwritten.
put() {
  make_directory "$(dirname "$prefix/$3")"
  cp "$2" "$prefix/$3.new"
  chmod "$1" "$prefix/$3.new"
  mv -f "$prefix/$3.new" "$prefix/$3"
  new="$new
file $prefix/$3"
}

# Agents of the version that is replaced; root doesn't restart those of users.
agents=
if [ "$(id -u)" -ne 0 ]; then
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2>/dev/null || true) in
    "$prefix/libexec/sequence/sequence-agent"*) agents="$agents ${process#/proc/}" ;;
    esac
  done
fi

for directory in "$prefix" "$prefix/libexec/sequence"; do
  make_directory "$directory" 2>/dev/null && [ -w "$directory" ] || stop "$directory cannot be written; use sudo, or another PREFIX"
done
put 755 "$here/bin/sequence" bin/sequence
put 755 "$here/uninstall" libexec/sequence/uninstall
put 644 "$here/libexec/sequence/libsequence.so" libexec/sequence/libsequence.so
for program in sequence-agent sequence-sound ${with_window:+sequence-window}; do
  put 755 "$here/libexec/sequence/$program" "libexec/sequence/$program"
done
rest=$(cd "$here" && find lib share -type f)
while read -r file; do
  case $file in
  *window.metainfo.xml | share/dbus-1/* | share/gnome-shell/* | share/krunner/*) [ -n "$with_window" ] || continue ;;
  esac
  case $file in
  */sequence-agent* | share/dbus-1/*)
    # What starts the agent names its program.
    entry=$(mktemp)
    sed "s|@PREFIX@|$prefix|" "$here/$file" >"$entry"
    put 644 "$entry" "$file"
    rm "$entry"
    ;;
  *.desktop)
    # A desktop finds the program even if its directory isn't in the PATH of the session.
    quoted=$prefix/bin/sequence
    case $quoted in *\ *) quoted="\"$quoted\"" ;; esac
    entry=$(mktemp)
    sed "s|^TryExec=sequence|TryExec=$prefix/bin/sequence|; s|^Exec=sequence|Exec=$quoted|" "$here/$file" >"$entry"
    put 644 "$entry" "$file"
    rm "$entry"
    ;;
  *) put 644 "$here/$file" "$file" ;;
  esac
done <<END
$rest
END

# The desktop's lists of menu entries, file types and icons.
update() {
  if command -v "$1" >/dev/null; then
    "$@" >/dev/null 2>&1 || echo "$1 failed, so the desktop may not open sequence files until the next login"
  else
    echo "$1 is not installed, so the desktop may not open sequence files with a double click"
  fi
}
had_types=
[ ! -e "$prefix/share/mime/mime.cache" ] || had_types=yes
update update-mime-database "$prefix/share/mime"
[ -n "$had_types" ] || [ ! -e "$prefix/share/mime/mime.cache" ] || new="$new
types $prefix/share/mime"
update update-desktop-database "$prefix/share/applications"
icons=$prefix/share/icons/hicolor
[ ! -e "$icons/icon-theme.cache" ] || update gtk-update-icon-cache --force --ignore-theme-index "$icons"

# Start the agent at login: only at the first installation, because you may have turned it off since.
if [ -z "$old" ]; then
  if [ "$(id -u)" -ne 0 ]; then
    configuration=${XDG_CONFIG_HOME:-$HOME/.config}
    for directory in "$configuration/systemd/user/default.target.wants" "$configuration/autostart"; do
      while [ ! -d "$directory" ]; do
        # Uninstalling removes those that were made and are empty.
        made="$directory
${made:-}"
        directory=$(dirname "$directory")
      done
    done
    "$prefix/bin/sequence" agent install || echo "The agent doesn't start at login until that command succeeds."
    for directory in ${made:-}; do
      [ ! -d "$directory" ] || new="$new
directory $directory"
    done
  elif [ "$prefix" = /usr/local ] && command -v systemctl >/dev/null; then
    systemctl --quiet --global enable sequence-agent.service \
      || echo "The agent doesn't start at login until this succeeds: sudo systemctl --global enable sequence-agent.service"
  else
    echo "To start the agent at login, each user runs: sequence agent install"
  fi
fi
# What an earlier version installed, and this one doesn't.
while read -r kind path; do
  case $kind in
  file) printf '%s\n' "$new" | grep -qxF "file $path" || rm -f "$path" ;;
  ?*) new="$kind $path
$new" ;;
  esac
done <<END
$old
END
printf '%s\nfile %s\n' "$new" "$list" | sed '/^$/d' >"$list.new"
mv -f "$list.new" "$list"

# Agents of the old version end, and the new one takes over their runs.
for process in $agents; do
  state=$(tr '\0' '\n' <"/proc/$process/cmdline" 2>/dev/null | sed -n '/^--state-dir$/{n;p;}')
  kill "$process" 2>/dev/null || continue
  timeout 10 sh -c 'while [ -e "/proc/$1/exe" ]; do sleep 0.1; done' - "$process" \
    || echo "The agent of the old version (process $process) doesn't end; end it with: kill -9 $process"
  "$prefix/bin/sequence" status --state-dir "$state" >/dev/null || [ $? -eq 1 ] || echo "See sequence doctor."
done

echo "Installed Sequence $version into $prefix."
command=sequence
case :$PATH: in
*":$prefix/bin:"*) ;;
*)
  command=$prefix/bin/sequence
  echo "$prefix/bin is not in your PATH. In this shell, run:"
  echo "  PATH=\"$prefix/bin:\$PATH\""
  echo "Other shells find it after you log in again; if they don't, add that line to ~/.profile."
  ;;
esac
case ${SHELL:-} in
*/zsh)
  [ "$prefix" = /usr/local ] || {
    echo "For completions in zsh, add this line to ~/.zshrc, before compinit:"
    echo "  fpath=(\"$prefix/share/zsh/site-functions\" \$fpath)"
  }
  ;;
esac
echo "Try it:     $command timer 10s Tea"
[ -z "$with_window" ] || echo "Its window: $command window"
echo "Check it:   $command doctor"
echo "Remove it:  $prefix/libexec/sequence/uninstall"
