#!/bin/sh
# Counts everything in counts.txt with the program built for release, and prints a table. With words: only the lines that have one.
# The exit code is 1 if a number is not as it should be. LUSORY may name a program that is built already.
cd "$(dirname "$0")/.." || exit 1
program=${LUSORY:-${CARGO_TARGET_DIR:-target}/release/lusory}
[ -n "$LUSORY" ] || cargo build --release --quiet || exit 1
wrong=0
printf '%-60s %5s %12s %12s %8s\n' game depth expected counted seconds
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ]; then
    wanted=no
    for word in "$@"; do case $line in *"$word"*) wanted=yes ;; esac; done
    [ $wanted = yes ] || continue
  fi
  told=${line%: *}
  numbers=$(echo "${line##*: }" | tr -d '|')
  depth=$(echo $numbers | wc -w)
  begun=$(date +%s)
  # shellcheck disable=SC2086 # the words of a line are words of the command
  counted=$("$program" perft $told --depth "$depth" | cut -f2 | tr '\n' ' ')
  taken=$(($(date +%s) - begun))
  verdict=
  if [ "$(echo $counted)" != "$(echo $numbers)" ]; then
    verdict="  expected $(echo $numbers), counted $(echo $counted)"
    wrong=1
  fi
  printf '%-60s %5d %12s %12s %8d%s\n' "$told" "$depth" "${numbers##* }" "$(echo $counted | awk '{ print $NF }')" "$taken" "$verdict"
done < tests/counts.txt
exit $wrong
