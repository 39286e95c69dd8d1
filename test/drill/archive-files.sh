#!/bin/sh
# Archives the files of a folder of uploads:
#   archive-files.sh UPLOADS ARCHIVE
# An archive_command runs it before it archives a segment. A file is stored before its row is written, so whoever restores
# both has a file for every row.
set -eu
uploads=$1 archive=$2

# Nobody has uploaded anything.
[ -d "$uploads" ] || exit 0

cd "$uploads"
find . -type f ! -name '*.partial' | while IFS= read -r file; do
  # The name of a file is never given to another one.
  [ -e "$archive/$file" ] && continue
  mkdir -p "$archive/${file%/*}"
  # A file may be deleted meanwhile.
  cp -p "$file" "$archive/$file.part" || { [ ! -e "$file" ] && continue; exit 1; }
  sync "$archive/$file.part"
  mv "$archive/$file.part" "$archive/$file"
done
