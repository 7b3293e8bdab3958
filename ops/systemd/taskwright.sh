#!/bin/sh
# /usr/local/sbin/taskwright: runs a command as the service does, by its account and with its settings. For root.
# What is set for the one command (DATA_DIR=/srv/drill taskwright …) holds instead of theirs.
set -eu
given=$(export -p)
set -a
NODE_ENV=production DATA_DIR=/var/lib/taskwright
. /etc/taskwright/settings
set +a
eval "$given"
export HOME=/var/lib/taskwright
cd /var/lib/taskwright
exec setpriv --reuid=taskwright --regid=taskwright --init-groups /opt/taskwright/bin/taskwright "$@"
