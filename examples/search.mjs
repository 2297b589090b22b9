// Scrapes an address, then searches what this server has read so far; a provider (docs/search.md) searches the web instead. The
// best hits come with their Markdown.
import { client, rest, url } from "./connect.mjs";

const page = await client.scrape(url);
const query = rest.join(" ") || page.metadata.title || "example";
const { web = [] } = (
  await client.search(query, { limit: 3, scrapeOptions: { formats: ["markdown"] } })
).data;
for (const { title, url: address, markdown = "" } of web)
  console.log(`${title ?? address}\n  ${address}\n  ${markdown.length} characters`);
