#!/bin/sh
# Starts a crawl, waits for its end and prints all pages, one JSON document a line: sh examples/crawl.sh https://example.com
server="${QUARRY_URL:-http://127.0.0.1:3002}"
ask() {
  curl -sS --fail-with-body -H "Authorization: Bearer $QUARRY_API_KEY" -H 'Content-Type: application/json' "$@"
}
id=$(ask "$server/v2/crawl" -d "{\"url\": \"${1:-https://example.com/}\", \"limit\": ${2:-10}}" |
  sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
# A read past the results that are there is held for a moment, so this loop needs no pause.
until ask "$server/v2/crawl/$id?skip=1000000" | grep -q '"status":"\(completed\|failed\|cancelled\)"'; do :; done
ask "$server/v2/crawl/$id/export"
