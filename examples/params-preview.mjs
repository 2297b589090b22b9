// What a wish in plain words becomes, before a crawl is started with it.
import { client, rest, url } from "./connect.mjs";

const wish = rest.join(" ") || "only the docs, skip the archive, at most 50 pages";
const { data, understood = [], notUnderstood = [], known } = await client.previewCrawl(url, wish);
console.log(JSON.stringify(data, null, 2));
for (const { text, as } of understood) console.log(`"${text}" -> ${as}`);
for (const { text, reason } of notUnderstood)
  console.log(`not understood: "${text}" ${reason ?? ""}`);
if (known) console.log(`fits ${known.matching} of ${known.urls} known URLs`);
