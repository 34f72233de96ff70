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
[ "$("$waymark" --version)" = "$(.build/release/waymark --version)" ] ||
  fail "the build folder has another program than the one installed"
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
  for other in $(sed -n 's/^\.Xr \([^ ]*\) 1.*/\1/p' "$share/man/man1/$page.1"); do
    [ -s "$share/man/man1/$other.1" ] || fail "the man page $page names $other, which there is not"
  done
  grep -q '^\.It 78$' "$share/man/man1/$page.1" || fail "the man page $page has no exit codes"
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
# An interactive shell of its own, as zsh has no command that lists completions: it types the words and
# a tab, and prints the last word of the line.
complete_in_zsh() {
  (cd "$work" && HOME=$work timeout 120 zsh -fc '
    zmodload zsh/zpty
    zpty shell "zsh -f -i"
    zpty -w shell "PS1=; unsetopt prompt_cr; fpath=($0 \$fpath); autoload -Uz compinit; compinit -u -D
      show() print -r -- \"<\${BUFFER% }>\"; zle -N show; bindkey ^X show; print re""ady"
    zpty -r -m shell line "*ready*"
    zpty -w -n shell "$*"$'"'\\t\\x18'"'
    zpty -r -m shell line "*<*>*"
    print -r -- ${${${line##*<}%%>*}##* }' "$share/zsh/site-functions" waymark "$@")
}
for shell in bash fish zsh; do
  expect() {
    local word=$1 found
    shift
    found=$("complete_in_$shell" "$@")
    grep -qxF -e "$word" <<<"$found" || fail "$shell does not complete 'waymark $*' to $word"
  }
  expect replay repl
  expect --config replay --conf
  expect chart.gpx replay ch
  expect chart.gpx replay x --config ch
  expect chart.gpx check ch
done

# The units, with the program where it is; their pages are those that were installed.
for unit in "$root"/lib/systemd/system/*.service; do
  sed "s|/usr/bin/waymark|$waymark|" "$unit" >"$work/$(basename "$unit")"
done
[ "$(ls "$work"/*.service | wc -l)" = 3 ] || fail "not three units"
complaints=$(MANPATH=$share/man: systemd-analyze verify --man=yes "$work"/*.service 2>&1) ||
  fail "systemd-analyze: $complaints"
[ -z "$complaints" ] || fail "systemd-analyze: $complaints"
echo "installed: program, $(wc -w <<<"$commands") commands, man pages, completions and units are right"
