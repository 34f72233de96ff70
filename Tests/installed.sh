#!/bin/bash
# installed.sh FOLDER: starts what `make install` put below FOLDER, and tries it where it is used.
set -euo pipefail
root=$1
waymark=$root/bin/waymark
share=$root/share
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "installed: $*" >&2
  exit 1
}

# The program, without the folder that it was built in.
"$waymark" --version | grep -qE '^waymark [0-9]+\.[0-9]+\.[0-9]+' || fail "no version"
story=traces/commute
"$waymark" replay $story/track.gpx --config $story/waymark.yaml --format jsonl 2>/dev/null |
  cmp - $story/events.jsonl || fail "the events of $story are others"

# A page for every command, under its name, that man shows without a complaint.
commands=$("$waymark" --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ] || fail "--help lists no commands"
for page in waymark $(sed 's/^/waymark-/' <<<"$commands"); do
  [ -s "$share/man/man1/$page.1" ] || fail "no man page $page"
  complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -l "$share/man/man1/$page.1" 2>&1 >/dev/null)
  [ -z "$complaints" ] || fail "the man page $page: $complaints"
done

# Completions: a command, an option, and a file, in each shell.
touch "$work/chart.gpx"
complete_in_bash() {
  (cd "$work" && bash --norc --noprofile -c '
    . /usr/share/bash-completion/bash_completion
    . "$0"
    COMP_WORDS=(waymark "$@") COMP_CWORD=$# COMP_LINE="waymark $*" COMP_POINT=${#COMP_LINE}
    eval "$(complete -p waymark | sed "s/.*-F \([^ ]*\).*/\1/") waymark \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\""
    printf "%s\n" "${COMPREPLY[@]}"' "$share/bash-completion/completions/waymark" "$@")
}
complete_in_fish() {
  (cd "$work" && HOME=$work fish --no-config -c 'source $argv[1]; complete -C "$argv[2]"' \
    "$share/fish/vendor_completions.d/waymark.fish" "waymark $*" | cut -f 1)
}
for shell in bash fish; do
  expect() {
    local word=$1 found
    shift
    found=$("complete_in_$shell" "$@")
    grep -qxF -e "$word" <<<"$found" || fail "$shell does not complete 'waymark $*' to $word"
  }
  expect replay rep
  expect --config replay --conf
  expect chart.gpx replay ch
  expect chart.gpx replay x --config ch
  expect chart.gpx check ch
done
HOME=$work zsh -fc '
  fpath=("$1" $fpath)
  autoload -Uz compinit && compinit -u -D
  [ "$_comps[waymark]" = _waymark ] && autoload +X -Uz _waymark' zsh "$share/zsh/site-functions" ||
  fail "zsh does not load its completions"
zsh -n "$share/zsh/site-functions/_waymark" || fail "zsh does not read its completions"
grep -q "config\[.*_files" "$share/zsh/site-functions/_waymark" || fail "zsh completes no files"

# The units, with the program where it is; their pages are those that were installed.
for unit in "$root"/lib/systemd/system/*.service; do
  sed "s|/usr/bin/waymark|$waymark|" "$unit" >"$work/$(basename "$unit")"
done
[ "$(ls "$work"/*.service | wc -l)" = 2 ] || fail "not two units"
complaints=$(MANPATH=$share/man: systemd-analyze verify --man=yes "$work"/*.service 2>&1) ||
  fail "systemd-analyze: $complaints"
[ -z "$complaints" ] || fail "systemd-analyze: $complaints"
echo "installed: program, $(wc -w <<<"$commands") commands, man pages, completions and units are right"
