// Several addresses in one job, and what went wrong with those that brought nothing.
import { client, rest, url } from "./connect.mjs";

const { job } = await client.startBatch([url, ...rest], { formats: ["markdown", "links"] });
for await (const { metadata, links = [] } of job.documents())
  console.log(`${metadata.statusCode} ${metadata.url} (${links.length} links)`);
const { errors } = await job.errors();
for (const { url: address, error } of errors) console.log(`failed: ${address}: ${error}`);
