#!/bin/sh
# Starts a run of the agent and waits for its end. A question without a schema needs a language model: sh examples/agent.sh https://example.com
server="${QUARRY_URL:-http://127.0.0.1:3002}/v2/agent"
id=$(curl -sS --fail-with-body "$server" \
  -H "Authorization: Bearer $QUARRY_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{\"prompt\": \"What is this page about?\", \"urls\": [\"${1:-https://example.com/}\"], \"strictConstrainToURLs\": true}" |
  sed 's/.*"id":"\([^"]*\)".*/\1/')
while :; do
  state=$(curl -sS --fail-with-body "$server/$id" -H "Authorization: Bearer $QUARRY_API_KEY")
  case $state in *'"status":"processing"'*) sleep 1 ;; *) break ;; esac
done
printf '%s\n' "$state"
