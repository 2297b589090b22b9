// Answers the metadata questions of the extraction benchmark: JSON lines {id,url,html} in,
// {id,meta,ms,cpu} out.
//   node predict.mjs --name quarry-meta --sets wcxb-dev,trafilatura --lines 'node bench/eval/predict-meta.ts'

import { createInterface } from "node:readline";
import { readMetadata } from "../../src/html/metadata/index.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

type Case = { readonly id: string; readonly url?: string; readonly html: string };

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const { id, url, html } = JSON.parse(line) as Case;
  const document = parseHtml(html);
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  const metadata = readMetadata(document, { url: url ?? "http://example.com/" });
  const cpu = process.cpuUsage(cpuBefore);
  const meta = {
    // The sets' titles are headlines without the name of the site.
    title: metadata["articleTitle"] ?? metadata["title"],
    author: metadata["author"],
    date: metadata["publishedTime"],
    sitename: metadata["siteName"],
    lang: metadata["language"],
  };
  const answer = {
    id,
    meta,
    ms: performance.now() - started,
    cpu: (cpu.user + cpu.system) / 1_000,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
