// Makes a monitor of a page, checks it now, prints what the check found, and deletes the monitor.
import { setTimeout as sleep } from "node:timers/promises";
import { client, url } from "./connect.mjs";

const { monitors } = client;
const { id, nextRunAt, estimatedCreditsPerMonth } = await monitors.create({
  name: "example",
  schedule: { text: "weekdays at 8:30", timezone: "Europe/Berlin" },
  targets: [{ type: "scrape", urls: [url] }],
  when: { conditions: [{ type: "textAppears", text: "sold out" }] },
  // channels: [{ type: "ntfy", url: "https://ntfy.sh/my-topic" }],
});
console.log(`next run ${nextRunAt}, ${estimatedCreditsPerMonth} credits a month`);
try {
  let check = await monitors.run(id);
  while (check.status === "queued" || check.status === "running") {
    await sleep(500);
    check = await monitors.check(id, check.id);
  }
  console.log(check.status);
  for (const page of check.pages ?? [])
    console.log(`${page.status} ${page.url}${page.diff?.text ? `\n${page.diff.text}` : ""}`);
} finally {
  await monitors.delete(id);
}
