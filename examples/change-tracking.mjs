// What changed on a page since the last time this ran. The tag keeps its history apart from that of others.
import { client, url } from "./connect.mjs";

const { changeTracking, warning } = await client.scrape(url, {
  formats: ["markdown", { type: "changeTracking", modes: ["git-diff"], tag: "example" }],
});
if (changeTracking === undefined) console.log(`not compared: ${warning}`);
else {
  const { changeStatus, previousScrapeAt, diff, noise } = changeTracking;
  console.log(`${changeStatus}, last seen ${previousScrapeAt ?? "never"}`);
  if (noise) console.log(`does not count: ${noise.lines} lines (${noise.kinds.join(", ")})`);
  if (diff) console.log(diff.text);
}
