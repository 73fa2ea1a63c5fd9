#!/bin/sh
# Runs the demonstration: a warm-up, eight rounds of work and rest, and a stretch that lasts until you go on.
#
#     examples/demo.sh [PATH OF sequence]
#
# On a terminal you go on by pressing n. Without one, the script does it once the goal of the stretch is reached.
set -eu
sequence=${1:-sequence}
file=$(dirname "$0")/demo.yaml

# A state directory of its own: a run that you have going stays as it is.
SEQUENCE_STATE_DIR=$(mktemp -d)
export SEQUENCE_STATE_DIR
trap '"$sequence" stop >/dev/null 2>&1 || :; rm -rf "$SEQUENCE_STATE_DIR"' EXIT

if [ -t 0 ] && [ -t 1 ]; then
  "$sequence" run "$file"
  exit
fi

"$sequence" run "$file" &
run=$!
# Prints a line whenever the state changes, so nothing is asked over and over.
"$sequence" status --follow --format '{step} {state}' | while read -r state; do
  if [ "$state" = "Stretch overtime" ]; then
    "$sequence" next >/dev/null
    break
  fi
done
wait "$run"
