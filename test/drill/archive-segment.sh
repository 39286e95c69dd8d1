#!/bin/sh
# Archives a segment of the log of writes of Postgres, whole or not at all:
#   archive-segment.sh ARCHIVE %p %f
set -eu
archive=$1 path=$2 name=$3

# Postgres asks again when it was not told that a segment is archived. Another content under the name is a mistake.
if [ -e "$archive/$name" ]; then
  cmp -s "$path" "$archive/$name"
else
  cp -p "$path" "$archive/$name.part"
  sync "$archive/$name.part"
  mv "$archive/$name.part" "$archive/$name"
fi
