// A site: its pages as they arrive, and what became of every address that was seen.
import { client, rest, url } from "./connect.mjs";

const [limit = "10"] = rest;
const job = await client.startCrawl(url, { limit: Number(limit) });
for await (const page of job.documents()) {
  const words = page.markdown?.split(/\s+/).length ?? 0;
  console.log(`${page.metadata.statusCode} ${page.metadata.url} (${words} words)`);
}
const { sums } = await job.ledger({ limit: 1 });
console.log("fates:", JSON.stringify(sums));
