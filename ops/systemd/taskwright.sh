#!/bin/sh
# /usr/local/sbin/taskwright: runs a command as the service does, by its account and with its settings. For root.
# What is set for the one command (PORT=3001 taskwright …) holds instead of theirs. A command with a DATA_DIR of its own
# (DATA_DIR=/srv/drill taskwright …) gets none of the settings of the service: a drill must not touch its database or backups.
set -eu
export NODE_ENV=production
if [ "${DATA_DIR-/var/lib/taskwright}" = /var/lib/taskwright ]; then
  given=$(export -p)
  set -a
  DATA_DIR=/var/lib/taskwright
  . /etc/taskwright/settings
  set +a
  eval "$given"
fi
export HOME=/var/lib/taskwright
cd /var/lib/taskwright
exec setpriv --reuid=taskwright --regid=taskwright --init-groups /opt/taskwright/bin/taskwright "$@"
