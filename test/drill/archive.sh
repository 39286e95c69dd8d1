#!/bin/sh
# Archives a segment of the log of writes of Postgres, after all files that it may speak of: a file is stored before its
# row is written, so whoever restores both has a file for every row. Postgres runs it as its archive_command:
#   archive.sh UPLOADS ARCHIVE %p %f
set -eu
uploads=$1 archive=$2 path=$3 name=$4

# Copies a file whole or not at all. A name is never given to anything else.
keep() {
  mkdir -p "${2%/*}"
  cp -p "$1" "$2.part"
  sync "$2.part"
  mv "$2.part" "$2"
}

if [ -d "$uploads" ]; then
  cd "$uploads"
  find . -type f ! -name '*.partial' | while IFS= read -r file; do
    [ -e "$archive/files/$file" ] || keep "$file" "$archive/files/$file" || [ ! -e "$file" ]
  done
  cd - > /dev/null
fi

# Postgres asks again when it was not told that a segment is archived. Another content under the name is a mistake.
if [ -e "$archive/wal/$name" ]; then
  cmp -s "$path" "$archive/wal/$name"
else
  keep "$path" "$archive/wal/$name"
fi
