#!/bin/sh
# What a script does without a timer: so many sleeps, one after the other.
#
#     sleep-loop.sh COUNT SECONDS
index=0
while [ "$index" -lt "$1" ]; do
  sleep "$2"
  index=$((index + 1))
done
