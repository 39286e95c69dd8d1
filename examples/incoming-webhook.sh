#!/bin/sh
# Tells a channel about something, through an incoming webhook: an address that any program can post to.
#
#   SITE=http://127.0.0.1:9991 API_KEY=… CHANNEL=general TOPIC=backups sh examples/incoming-webhook.sh 'The backup is done.'
#
# It needs curl. API_KEY is the key of an incoming-webhook bot; README.md says where that comes from. The format is that
# of Slack; instead of slack_incoming there are github, gitlab, alertmanager and json.
set -eu

# Every byte as %XX: right for any text in an address.
encode() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }
escape() { printf %s "$1" | tr '\n' ' ' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g'; }

query="api_key=$(encode "$API_KEY")&stream=$(encode "${CHANNEL:-general}")&topic=$(encode "${TOPIC:-webhook}")"
curl -sS --fail "$SITE/api/v1/external/slack_incoming?$query" \
  -H 'Content-Type: application/json' -d "{\"text\": \"$(escape "${1:-Hello.}")\"}"
echo
