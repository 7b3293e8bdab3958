#!/bin/sh
# /usr/local/sbin/taskwright: runs a command as the service does, by its account and with its settings. For root.
set -eu
set -a
HOME=/var/lib/taskwright NODE_ENV=production DATA_DIR=/var/lib/taskwright
. /etc/taskwright/settings
set +a
cd /var/lib/taskwright
exec setpriv --reuid=taskwright --regid=taskwright --init-groups /opt/taskwright/bin/taskwright "$@"
