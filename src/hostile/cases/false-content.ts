// Pages without the requested content that answer 200: bot checks and error pages. Passes if a
// field says so or the answer is no success.
import { broke, held, type HostileCase } from "../hostile-case.ts";
import { describeReply, type Reply } from "../target.ts";

const CHALLENGE = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><h1 class="zone-name-title h1">shop.example</h1><h2 id="challenge-running">Checking if the site connection is secure</h2>
<noscript><div id="challenge-error-title"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript>
<div id="challenge-body-text">shop.example needs to review the security of your connection before proceeding.</div></div></div>
<script>(function(){window._cf_chl_opt={cvId:'2',cType:'managed',cNounce:'123',cRay:'8abc',cHash:'abc'};var cpo=document.createElement('script');cpo.src='/cdn-cgi/challenge-platform/h/b/orchestrate/managed/v1?ray=8abc';})();</script></body></html>`;

const SOFT_404 = `<!doctype html><html><head><title>404 - Page not found</title></head><body><h1>404</h1><h2>Page not found</h2>
<p>Sorry, the page you are looking for does not exist or has been moved.</p><a href="/">Back to the home page</a></body></html>`;

/** Returns the word in the answer that marks the page as other content; undefined without one. */
function findMark(reply: Reply): string | undefined {
  const { status, body, data } = reply;
  if (status !== 200 || body["success"] !== true) return describeReply(reply);
  const metadata = (data["metadata"] ?? {}) as Record<string, unknown>;
  const verdict = metadata["verdict"];
  const kind =
    typeof verdict === "object" && verdict !== null
      ? (verdict as Record<string, unknown>)["kind"]
      : verdict;
  if (typeof kind === "string" && kind !== "content") return `verdict ${kind}`;
  if (typeof metadata["error"] === "string") return `error "${metadata["error"].slice(0, 100)}"`;
  if (typeof data["warning"] === "string") return `warning "${data["warning"].slice(0, 100)}"`;
  return undefined;
}

const build = (
  name: string,
  attack: string,
  html: string,
  severity: "medium" | "low",
  headers = {},
): HostileCase => ({
  name,
  attack,
  promise: "The answer says that the page is not its content.",
  severity,
  budgetMs: 60_000,
  async run({ target, site }) {
    const page = site.serve(
      name,
      (_request, response) =>
        void response.writeHead(200, { "content-type": "text/html", ...headers }).end(html),
    );
    const reply = await target.scrape(page.url, {}, 25_000);
    if (page.requests() === 0 || reply.status === 0) return broke(describeReply(reply));
    const mark = findMark(reply);
    return mark === undefined
      ? broke(`returned as content: ${JSON.stringify(reply.data["markdown"]).slice(0, 120)}`)
      : held(mark);
  },
});

export const falseContent: readonly HostileCase[] = [
  build("challenge-page", "A bot check answers 200 in place of the page.", CHALLENGE, "medium", {
    server: "cloudflare",
    "cf-mitigated": "challenge",
  }),
  build("soft-404", "A page that does not exist answers 200.", SOFT_404, "low"),
];
