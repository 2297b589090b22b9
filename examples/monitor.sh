#!/bin/sh
# When a monitor of a page would run and what it would cost: sh examples/monitor.sh https://example.com
# Without /estimate, the same call makes the monitor.
curl -sS --fail-with-body "${QUARRY_URL:-http://127.0.0.1:3002}/v2/monitor/estimate" \
  -H "Authorization: Bearer $QUARRY_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{
    \"name\": \"example\",
    \"schedule\": {\"text\": \"every 15 minutes\"},
    \"targets\": [{\"type\": \"scrape\", \"urls\": [\"${1:-https://example.com/}\"]}]
  }"
