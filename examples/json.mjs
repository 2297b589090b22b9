// What a page says about itself, in the shape of a JSON Schema, each value with the place it stands at. It works without a
// model for what pages say in data, labels and lists; QUARRY_MODEL makes it understand the rest.
import { client, url } from "./connect.mjs";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: ["number", "null"] },
    currency: { type: ["string", "null"], description: "ISO 4217" },
    features: { type: "array", items: { type: "string" } },
  },
  required: ["name", "price"],
};

const page = await client.scrape(url, { formats: [{ type: "json", schema, evidence: true }] });
console.log(JSON.stringify(page.json, null, 2));
for (const [place, { source, text }] of Object.entries(page.jsonEvidence ?? {}))
  console.log(`${place} from ${source}: ${text}`);
if (page.warning) console.error(`warning: ${page.warning}`);
