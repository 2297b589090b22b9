// Learns from one page where its values stand, and gets them from another page of the template:
// node examples/extractor.mjs URL OTHER_URL '{"title": "what the first page shows"}'
import { client, url } from "./connect.mjs";

const [, , , other = url, data = '{"title": "Example Domain"}'] = process.argv;
const { data: extractor, warning } = await client.extractors.create({
  examples: [{ url, data: JSON.parse(data) }],
});
if (warning) console.error(`warning: ${warning}`);
const { data: pages } = await client.extractors.run(extractor.id, [other]);
for (const page of pages) {
  console.log(JSON.stringify(page.json));
  for (const [place, { ref, text }] of Object.entries(page.jsonEvidence ?? {}))
    console.log(`${place} at ${ref ?? "data"}: ${text}`);
}
await client.extractors.delete(extractor.id);
