// One page as Markdown, with its links.
import { client, url } from "./connect.mjs";

const page = await client.scrape(url, { formats: ["markdown", "links"] });
console.log(`# ${page.metadata.title} (${page.metadata.statusCode})\n`);
console.log(page.markdown);
console.log(`\n${page.links?.length ?? 0} links`);
if (page.warning) console.error(`warning: ${page.warning}`);
