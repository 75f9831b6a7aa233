#!/bin/sh
# Makes a full backup each week and a differential one each day; pgBackRest removes what is older than its retention.
# With `once` it makes what is due, and ends.
set -eu
trap 'exit 0' TERM INT

# The time of the newest backup, `20261130-012959`. A label is that time with its kind; a differential one follows that of its full backup.
newest() { pgbackrest info | sed -n "s/^ *\($1\) backup: .*\([0-9]\{8\}-[0-9]\{6\}\)[FDI]\$/\2/p" | sort | tail -n 1; }
# An hour less than a week or a day: a backup starts at the same time of each day, though each takes a while.
is_older() { [ -z "$1" ] || [ "$1" \< "$(date -d "$2" +%Y%m%d-%H%M%S)" ]; }
make_due() {
  if is_older "$(newest full)" '167 hours ago'; then pgbackrest --type=full backup
  elif is_older "$(newest 'full\|diff')" '23 hours ago'; then pgbackrest --type=diff backup
  fi
}

# Does nothing where the repository knows this server.
pgbackrest stanza-create
if [ "${1:-}" = once ]; then make_due; exit; fi
while :; do
  # A failed one is tried again.
  make_due || echo 'the backup failed; retrying in ten minutes' >&2
  sleep 600 & wait $!
done
