// Caller's headers with line breaks, or connection headers. Passes if the site sees no smuggled
// header.
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";

export const headerInjection: HostileCase = {
  name: "header-injection",
  attack: "A scrape sends headers with line ends and with a Host of its own.",
  promise: "One header stays one header; the Host is the URL's.",
  severity: "high",
  budgetMs: 60_000,
  async run({ target, site }) {
    const hosts: string[] = [];
    let smuggled = 0;
    const page = site.serve("headers", (request, response) => {
      hosts.push(request.headers.host ?? "");
      if (request.headers["x-smuggled"] !== undefined || request.method === "DELETE") smuggled += 1;
      response.writeHead(200, { "content-type": "text/html" }).end("<p>Headers were read.</p>");
    });
    const values = [
      { "x-a": "b\r\nx-smuggled: 1" },
      { "x-a": "b\nx-smuggled: 1" },
      { "x-a\r\nx-smuggled": "1" },
      { "x-a": "b\r\n\r\nDELETE / HTTP/1.1\r\nHost: a\r\n\r\n" },
      { host: "127.0.0.1" },
      { "transfer-encoding": "chunked", "content-length": "0" },
    ];
    for (const headers of values) await target.scrape(page.url, { headers }, 8_000);
    if (smuggled > 0)
      return reportBroke(`${smuggled} requests carried a smuggled header or method`);
    const { host } = new URL(page.url);
    const wrong = hosts.filter((each) => each !== host);
    if (wrong.length > 0)
      return reportBroke(`the site was asked as ${wrong[0]} instead of ${host}`);
    return reportHeld(
      `${values.length} scrapes, ${hosts.length} requests with the right Host and nothing smuggled`,
    );
  },
};
