#!/bin/sh
# Runs a demonstration: a warm-up, eight rounds of work and rest, and a stretch that lasts until you complete it.
#
#     examples/demo.sh [PATH OF sequence]
#
# On a terminal, press n to complete the stretch. Without a terminal, the script completes it at its goal.
set -eu
sequence=${1:-sequence}
file=$(dirname "$0")/demo.yaml

# A separate state directory, so your current run stays as it is.
SEQUENCE_STATE_DIR=$(mktemp -d)
export SEQUENCE_STATE_DIR
trap '"$sequence" stop >/dev/null 2>&1 || :; rm -rf "$SEQUENCE_STATE_DIR"' EXIT

if [ -t 0 ] && [ -t 1 ]; then
  "$sequence" run "$file"
  exit
fi

# Reads events line by line, so that it does not need to poll.
"$sequence" run "$file" | while read -r line; do
  echo "$line"
  case $line in
    *'goal of "Stretch" reached') "$sequence" next >/dev/null ;;
  esac
done
