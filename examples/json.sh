#!/bin/sh
# Data of one page in the shape of a JSON Schema: sh examples/json.sh https://example.com
curl -sS --fail-with-body "${QUARRY_URL:-http://127.0.0.1:3002}/v2/scrape" \
  -H "Authorization: Bearer $QUARRY_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{\"url\": \"${1:-https://example.com/}\", \"formats\": [{\"type\": \"json\", \"schema\": {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}, \"price\": {\"type\": \"number\"}}}}]}"
