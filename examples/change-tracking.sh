#!/bin/sh
# What changed on a page since the last time: sh examples/change-tracking.sh https://example.com
curl -sS --fail-with-body "${QUARRY_URL:-http://127.0.0.1:3002}/v2/scrape" \
  -H "Authorization: Bearer $QUARRY_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{
    \"url\": \"${1:-https://example.com/}\",
    \"formats\": [\"markdown\", {\"type\": \"changeTracking\", \"modes\": [\"git-diff\"], \"tag\": \"example\"}]
  }"
