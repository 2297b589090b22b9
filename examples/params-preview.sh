#!/bin/sh
# What a wish in plain words becomes: sh examples/params-preview.sh https://example.com 'just the docs'
curl -sS --fail-with-body "${QUARRY_URL:-http://127.0.0.1:3002}/v2/crawl/params-preview" \
  -H "Authorization: Bearer $QUARRY_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{\"url\": \"${1:-https://example.com/}\", \"prompt\": \"${2:-just the docs, at most 50 pages}\"}"
