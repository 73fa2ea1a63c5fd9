#!/bin/sh
# A script without a timer: a number of sleeps, one after another.
#
#     sleep-loop.sh COUNT SECONDS
index=0
while [ "$index" -lt "$1" ]; do
  sleep "$2"
  index=$((index + 1))
done
