// Server-side request forgery by redirect: an allowed page redirects to loopback by status, header
// and markup, directly and in a chain. Passes if the canary is not reached although the redirecting
// page was.
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";

export const ssrfRedirects: HostileCase = {
  name: "ssrf-redirects",
  attack:
    "An allowed page redirects to loopback with 301 to 308, Refresh, meta refresh and a chain.",
  promise: "Every hop is judged; none to loopback is followed.",
  severity: "critical",
  budgetMs: 180_000,
  async run({ target, site, canary }) {
    const inner = `${canary.url}/redirected`;
    const pages = [
      ...[301, 302, 303, 307, 308].map((status) =>
        site.serve(
          "redirect",
          (_request, response) => void response.writeHead(status, { location: inner }).end(),
        ),
      ),
      site.serve("refresh", (_request, response) => {
        response
          .writeHead(200, { "content-type": "text/html", refresh: `0; url=${inner}` })
          .end("<p>Wait.</p>");
      }),
      site.serve(
        "meta",
        `<meta http-equiv="refresh" content="0; url=${inner}"><p>Wait a moment.</p>`,
      ),
      site.serve(
        "canonical",
        `<link rel="canonical" href="${inner}"><link rel="amphtml" href="${inner}"><p>Read me.</p>`,
      ),
      site.serve(
        "file",
        (_request, response) =>
          void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      ),
    ];
    const chain = site.serve("chain", (request, response) => {
      const step = Number(request.url?.split("/").at(-1)) || 0;
      response.writeHead(302, { location: step < 5 ? `${chain.url}${step + 1}` : inner }).end();
    });
    pages.push(chain);
    let leaked = false;
    for (const { url } of pages) {
      const { text } = await target.scrape(url, {}, 15_000);
      leaked ||= /root:.?:0:0:/.test(text);
    }
    const unseen = pages.filter((page) => page.requests() === 0);
    const hits = canary.hits();
    if (hits.length > 0)
      return reportBroke(`the canary was reached: ${hits.slice(0, 3).join("; ")}`);
    if (leaked) return reportBroke("a file of the server was returned");
    if (unseen.length > 0)
      return reportBroke(
        `${unseen.length} of ${pages.length} redirecting pages were never asked for`,
      );
    return reportHeld(`${pages.length} redirecting pages were asked for, the canary was not`);
  },
};
