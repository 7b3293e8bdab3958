#!/bin/sh
# /usr/local/sbin/taskwright: runs a command with the account and settings of the service. For root.
# Settings of the command (PORT=3001 taskwright …) override those of the service. A command with its own DATA_DIR
# (DATA_DIR=/srv/drill taskwright …) gets no settings of the service: a drill must not touch its database or backups.
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
