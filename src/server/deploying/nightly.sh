#!/bin/sh
# What each night needs: a backup of today, no backup older than the privacy policy allows, and the
# deletions that it promises. Each step runs also where another one failed, but no backup is deleted
# unless the deletions ran: a clock that is wrong for one is wrong for both. The end is then 1.
#
# Usage: sh nightly.sh <folder of backups>
# It runs where dist/ is, with the settings of the server, and may run several times a day.
set -u
umask 077
backups=${1:?name the folder of backups}
failed=0

waitlist() {
	node --max-semi-space-size=1 dist/server/cli.js "$@" || { failed=1; return 1; }
}

today="$backups/$(date -u +%F).db"
mkdir -p "$backups" || failed=1
# A backup gets its name when it was read back.
if [ -e "$today" ]; then echo "$today is there already."; else waitlist backup "$today"; fi

deleted=1
waitlist delete --older-than 24 --reason retention || deleted=0
waitlist delete --invited-before 90d --reason retention || deleted=0

# By name, so that no other file of the folder is touched: a night's backups, and what a killed one left.
if [ "$deleted" = 1 ]; then
	find "$backups" -name '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].db*' -mtime +33 -delete || failed=1
fi
exit "$failed"
