"""trafilatura over JSON lines: {id, url, html} in, {id, markdown, ms, cpu} out. Needs python3-trafilatura."""

import json
import sys
import time

import trafilatura

for line in sys.stdin:
    if not line.strip():
        continue
    page = json.loads(line)
    started = time.process_time()
    text = trafilatura.extract(page["html"], url=page.get("url"), output_format="markdown", include_links=False)
    cpu = (time.process_time() - started) * 1000
    print(json.dumps({"id": page["id"], "markdown": text or "", "ms": cpu, "cpu": cpu}), flush=True)
