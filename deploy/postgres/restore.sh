#!/bin/sh
# Restores the newest state, or that of RESTORE_TO (`2026-11-30 01:29:59+00`). Words are for pgBackRest. It refuses where the server still runs.
set -eu
if [ -n "${RESTORE_TO:-}" ]; then
  exec pgbackrest "$@" --type=time --target="$RESTORE_TO" --target-action=promote restore
fi
exec pgbackrest "$@" restore
