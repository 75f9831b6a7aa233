#!/bin/sh
# Restores the newest state, or that of RESTORE_TO (`2026-11-30 01:29:59+00`), beside the running server, and serves this copy for an hour: to check
# it, or to look something up. The copy archives nothing. Further words are for Postgres.
set -eu
copy=${RESTORED:-/restored}
set -- -D "$copy" "$@"
if [ -n "${RESTORE_TO:-}" ]; then
  pgbackrest --pg1-path="$copy" --archive-mode=off --type=time --target="$RESTORE_TO" --target-action=promote restore
else
  pgbackrest --pg1-path="$copy" --archive-mode=off restore
fi
exec timeout --signal=INT "${RESTORED_SECONDS:-3600}" postgres "$@"
