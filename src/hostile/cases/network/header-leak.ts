// Caller's credentials across origins: a page that gets Authorization and Cookie redirects to
// another origin. Passes if the other origin gets neither.
import { reportBroke, reportHeld, reportSkipped, type HostileCase } from "../../hostile-case.ts";
import { openHostileSite } from "../../hostile-site.ts";

export const headerLeak: HostileCase = {
  name: "header-leak",
  attack: "A page that was sent Authorization and Cookie redirects to another origin.",
  promise: "Headers of the caller stay with the origin they were meant for.",
  severity: "high",
  budgetMs: 40_000,
  async run({ target, site }) {
    await using other = await openHostileSite(new URL(site.origin).hostname);
    let leaked = "";
    const second = other.serve("second", (request, response) => {
      const { authorization, cookie } = request.headers;
      if (authorization !== undefined || cookie !== undefined)
        leaked = `${authorization ?? ""} ${cookie ?? ""}`;
      response.writeHead(200, { "content-type": "text/html" }).end("<p>The second origin.</p>");
    });
    let sent = false;
    const first = site.serve("first", (request, response) => {
      sent ||= request.headers.authorization === "Bearer canary-secret";
      response.writeHead(302, { location: second.url }).end();
    });
    const headers = { authorization: "Bearer canary-secret", cookie: "canary=secret" };
    await target.scrape(first.url, { headers }, 15_000);
    if (leaked !== "") return reportBroke(`the second origin was sent ${leaked}`);
    if (!sent || second.requests() === 0)
      return reportSkipped(
        `the redirect was not followed with the headers (first origin: ${sent}, second: ${second.requests()} requests)`,
      );
    return reportHeld("the first origin was sent the headers, the second was asked without them");
  },
};
