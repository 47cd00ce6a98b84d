#!/bin/sh
# Makes today's backup, deletes the people that the privacy policy promises to delete, and deletes old
# backups. If a step fails, the others still run and the exit code is 1. Old backups are deleted only if
# the deletions of people succeeded: a wrong clock would affect both.
#
# Usage: sh nightly.sh <backup folder>
# Run it in the folder that contains dist/, with the server's settings. It may run several times a day.
set -u
umask 077
backups=${1:?usage: sh nightly.sh <backup folder>}
failed=0

waitlist() {
	node --max-semi-space-size=1 dist/server/cli.js "$@" || { failed=1; return 1; }
}

today="$backups/$(date -u +%F).db"
mkdir -p "$backups" || failed=1
# A backup gets its name once it is verified.
if [ -e "$today" ]; then echo "$today already exists."; else waitlist backup "$today"; fi

deleted=1
waitlist delete --older-than 24 --reason retention || deleted=0
waitlist delete --invited-before 90d --reason retention || deleted=0

# Matches names, so that other files stay: nightly backups, and remains of interrupted ones.
if [ "$deleted" = 1 ]; then
	find "$backups" -name '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].db*' -mtime +33 -delete || failed=1
fi
exit "$failed"
