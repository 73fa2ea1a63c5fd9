#!/bin/sh
# Starts a sequence without a terminal, waits for its end, and acts on how it ended.
#
#     examples/headless.sh FILE [PATH OF sequence]
set -u
file=${1:?usage: headless.sh FILE [PATH OF sequence]}
sequence=${2:-sequence}

# start prints the id of the run. With the id, wait cannot miss the end of the run.
run=$("$sequence" start --beside "$file") || exit
"$sequence" wait "$run"
case $? in
  0) echo "well done" ;;
  3) echo "stopped before the end" ; exit 3 ;;
  *) echo "something went wrong" >&2 ; exit 1 ;;
esac
