// A page in a few sentences, and its answer to a question where one is given.
import { client, rest, url } from "./connect.mjs";

const question = rest.join(" ");
const page = await client.scrape(url, {
  formats: ["summary", ...(question ? [{ type: "question", question }] : [])],
});
console.log(page.summary);
if (page.answer) console.log(`\n${question}\n${page.answer}`);
if (page.warning) console.error(`warning: ${page.warning}`);
