import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildCertificate } from "../certificate.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine();
});
afterAll(async () => {
  await engine.close();
});
afterEach(closeAll);

const page = (body: string, head = ""): string =>
  `<!doctype html><html><head><title>t</title>${head}</head><body>${body}</body></html>`;

/** Opens a site with the given pages by path; other paths return 404. */
const openPages = (pages: Record<string, string | { type: string; body: string }>) =>
  openSite((request, response) => {
    const found = pages[(request.url ?? "/").split("?")[0] ?? "/"];
    const { type, body } =
      typeof found === "string"
        ? { type: "text/html; charset=utf-8", body: found }
        : (found ?? { type: "text/html", body: "none" });
    response.writeHead(found === undefined ? 404 : 200, { "content-type": type }).end(body);
  });

describe("rendered pages", () => {
  it("captures the page as the scripts left it, with status, headers and type", async () => {
    const { base } = await openPages({
      "/": page(
        `<div id="root"></div><script>document.getElementById("root").innerHTML = "<h1>made by a script</h1>"</script>`,
      ),
    });
    const capture = await engine.capture({ url: `${base}/` });
    expect(capture.text).toContain("<h1>made by a script</h1>");
    expect(capture).toMatchObject({
      engine: "browser",
      renderedBy: expect.stringMatching(/^Chromium \d+\./),
      statusCode: 200,
      finalUrl: `${base}/`,
      redirects: [],
      mimeType: "text/html",
      warnings: [],
    });
    expect(capture.contentType).toBe("text/html; charset=utf-8");
  });

  it("warns about a cross-site frame that fills the window, but not about small and hidden ones", async () => {
    const other = await openPages({ "/": page("<p>words of another site</p>") });
    const { base } = await openPages({
      "/own": page("<p>own words</p>"),
      "/": page(
        `<iframe src="${other.base}/?app" width="1200" height="700"></iframe>
        <iframe src="${other.base}/?small" width="300" height="200"></iframe>
        <iframe src="${other.base}/?hidden" style="visibility: hidden" width="1200" height="700"></iframe>
        <iframe src="/own" width="1200" height="700"></iframe>`,
      ),
    });
    const { text, warnings } = await engine.capture({ url: `${base}/` });
    expect(text).toContain("own words");
    expect(text).not.toContain("words of another site");
    expect(warnings).toEqual([expect.stringContaining(`${other.base}/?app`)]);
  });

  it("reads a page that has grown large completely, up to the limit", async () => {
    const { base } = await openPages({
      "/": page(
        `<main id="root"></main><script>root.textContent = "words ".repeat(5_000_000) + "the end"</script>`,
      ),
    });
    const { text } = await engine.capture({ url: `${base}/` }, 180_000);
    expect(text.length).toBeGreaterThan(30_000_000);
    expect(text).toContain("the end</main>");
  }, 200_000);

  it("waits for a page that is still loading its content", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/data") {
        setTimeout(() => response.end("late words from the server"), 700);
        return;
      }
      response.setHeader("content-type", "text/html");
      response.end(
        page(`<div id="root">Loading</div><script>
        setTimeout(() => fetch("/data").then((r) => r.text()).then((text) => setTimeout(() => { root.textContent = text; }, 150)), 200);
      </script>`),
      );
    });
    expect((await engine.capture({ url: `${base}/` })).text).toContain(
      "late words from the server",
    );
  });

  it("does not wait for a page that polls or ticks forever", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/poll") return;
      response.setHeader("content-type", "text/html");
      response.end(
        page(`<p>${"word ".repeat(100)}</p><p id="clock"></p><script>
        setInterval(() => { clock.textContent = Date.now(); }, 20); fetch("/poll");
      </script>`),
      );
    });
    const from = performance.now();
    const capture = await engine.capture({ url: `${base}/` });
    expect(capture.warnings).toEqual([]);
    expect(performance.now() - from).toBeLessThan(7_000);
  });

  it("includes shadow roots, slots and same-origin frames, and omits noscript text", async () => {
    const { base } = await openPages({
      "/": page(`
        <my-card><b slot="title">slotted title</b></my-card>
        <iframe src="/frame" width="300" height="200"></iframe>
        <noscript>You need to enable JavaScript</noscript>
        <script>
          customElements.define("my-card", class extends HTMLElement {
            constructor() { super(); const inner = this.attachShadow({ mode: "open" });
              inner.innerHTML = "<h2><slot name='title'>none</slot></h2><inner-part></inner-part>"; } });
          customElements.define("inner-part", class extends HTMLElement {
            constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<p>deep words</p>"; } });
        </script>`),
      "/frame": page(`<p>words of the frame</p><a href="next">on</a>`),
    });
    const { text } = await engine.capture({ url: `${base}/` });
    expect(text).toMatch(/<h2><slot name="title"><b slot="title">slotted title<\/b><\/slot><\/h2>/);
    expect(text).toContain("<p>deep words</p>");
    expect(text).toContain("words of the frame");
    expect(text).toContain(`href="${base}/next"`);
    expect(text).not.toContain("enable JavaScript");
  });

  it("includes noscript text when the scripts produce hardly any text", async () => {
    const story = `<p>${"The old mole could not hold against the northern storms. ".repeat(8)}</p>`;
    const { base } = await openPages({
      "/": page(`<nav>Home</nav><div id="app"></div><noscript><h1>The harbour</h1>${story}</noscript>
        <script>document.body.dataset.ready = "1"</script>`),
      "/more": page(`<div id="app">${story}${story}</div><noscript>${story}</noscript>
        <script>document.body.dataset.ready = "1"</script>`),
    });
    expect((await engine.capture({ url: `${base}/` })).text).toContain("<h1>The harbour</h1>");
    expect((await engine.capture({ url: `${base}/more` })).text).not.toContain("<noscript>");
  });

  it("reads a page that has replaced the built-ins", async () => {
    const { base } = await openPages({
      "/": page(`<p>true words of the page</p><script>
        window.MutationObserver = undefined; Array.from = () => []; performance.now = () => 0; window.setTimeout = () => 0;
        Object.defineProperty(document, "documentElement", { get: () => null });
        Element.prototype.cloneNode = () => null; String.prototype.split = () => [];
      </script>`),
    });
    expect((await engine.capture({ url: `${base}/` })).text).toContain("true words of the page");
  });
});

describe("navigation", () => {
  it("returns redirects of the server and of scripts", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/a") response.writeHead(302, { location: "/b" }).end();
      else if (request.url === "/b") {
        response.setHeader("content-type", "text/html");
        response.end(page(`<script>location.replace("/c")</script>`));
      } else {
        response.setHeader("content-type", "text/html");
        response.end(page("<p>the end of the way</p>"));
      }
    });
    const capture = await engine.capture({ url: `${base}/a` });
    expect(capture.text).toContain("the end of the way");
    expect(capture.finalUrl).toBe(`${base}/c`);
    expect(capture.redirects).toEqual([`${base}/a`, `${base}/b`]);
  });

  it("returns an error page as a page", async () => {
    const { base } = await openPages({});
    const capture = await engine.capture({ url: `${base}/missing` });
    expect(capture.statusCode).toBe(404);
    expect(capture.text).toContain("none");
  });

  it("leaves files to other engines", async () => {
    const { base } = await openPages({
      "/pdf": { type: "application/pdf", body: "%PDF-1.4" },
      "/zip": { type: "application/zip", body: "PK" },
      "/image": { type: "image/png", body: "x" },
      "/json": { type: "application/json", body: "{}" },
    });
    for (const path of ["/pdf", "/zip", "/image", "/json"])
      expect((await engine.fetch({ url: base + path })).kind, path).toBe("unsuitable");
  });

  it("returns the file that a page redirects its reader to", async () => {
    const { base } = await openPages({
      "/": page("<p>One moment</p><script>location.href = '/paper.pdf'</script>"),
      "/paper.pdf": { type: "application/pdf", body: "%PDF-1.4" },
    });
    const capture = await engine.capture({ url: `${base}/`, waitForMs: 500 });
    expect(capture.text).toContain("One moment");
    expect(capture.warnings).toEqual([
      `The page started the download of ${base}/paper.pdf, which is not part of it; scrape that address for the file.`,
    ]);
  });

  it("warns about an invalid certificate if it is accepted", async () => {
    const server = createServer(buildCertificate(["127.0.0.1"]), (request, response) => {
      response.setHeader("content-type", "text/html").end(page("<p>words behind TLS</p>"));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const url = `https://127.0.0.1:${port}/`;
      const { text, warnings } = await engine.capture({ url, skipTlsVerification: true });
      expect(text).toContain("words behind TLS");
      expect(warnings).toEqual(["The site's TLS certificate is not valid; it was not verified."]);
      expect((await engine.failure({ url, skipTlsVerification: false })).code).toBe(
        "SCRAPE_SSL_ERROR",
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("reports a refused connection, a private address and a redirect loop by code", async () => {
    const closed = await openSite(() => undefined);
    await closeAll();
    expect(await engine.failure({ url: `${closed.base}/` })).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("refused the connection"),
    });
    expect(await engine.failure({ url: "http://10.1.2.3/" })).toMatchObject({
      code: "UNSUPPORTED_SITE",
    });
    const circle = await openSite(
      (_request, response) => void response.writeHead(302, { location: "/" }).end(),
    );
    expect((await engine.failure({ url: `${circle.base}/` })).code).toBe(
      "SCRAPE_TOO_MANY_REDIRECTS",
    );
    const broken = await openSite((_request, response) => void response.socket?.destroy());
    expect((await engine.failure({ url: `${broken.base}/` })).code).toBe("SCRAPE_SITE_ERROR");
  });

  it("ends a page that never answers at the deadline", async () => {
    const { base } = await openSite(() => undefined);
    const from = performance.now();
    expect((await engine.failure({ url: `${base}/` }, 1_500)).code).toBe("SCRAPE_TIMEOUT");
    expect(performance.now() - from).toBeLessThan(4_000);
    expect(engine.pool.state().active).toBe(0);
  });
});

describe("page environment", () => {
  it("emulates device, location and user agent", async () => {
    const seen: Record<string, string | string[] | undefined>[] = [];
    const { base } = await openSite((request, response) => {
      seen.push(request.headers);
      response.setHeader("content-type", "text/html");
      response.end(
        page(`<meta name="viewport" content="width=device-width"><p id="out"></p><script>
        out.textContent = [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, navigator.userAgent, "ontouchstart" in window].join(" | ");
      </script>`),
      );
    });
    const plain = await engine.capture({ url: `${base}/` });
    expect(plain.text).toMatch(
      /en-US \| .* \| 1280 \| Mozilla\/5\.0 \(X11; Linux x86_64\) .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36 ServiceAgent\/[\d.]+ \(\+http[^|]* \| false/,
    );
    expect(JSON.stringify(seen[0])).not.toContain("Headless");
    expect(seen[0]?.["sec-ch-ua"]).toMatch(/^"Chromium";v="\d+"/);
    expect(seen[0]?.["accept-language"]).toBe("en-US,en;q=0.9");
    const phone = await engine.capture({
      url: `${base}/`,
      mobile: true,
      country: "de",
      languages: ["de-AT", "en"],
    });
    expect(phone.text).toMatch(/de-AT \| Europe\/Berlin \| 412 \| .*Android.* Mobile .* \| true/);
    expect(seen[1]?.["accept-language"]).toBe("de-AT,de;q=0.9,en;q=0.8");
    const japan = await engine.capture({ url: `${base}/`, country: "jp" });
    expect(japan.text).toContain("ja-JP | Asia/Tokyo");
  });

  it("sends the caller's headers only to their own origin", async () => {
    const seen: [string, unknown, unknown, unknown][] = [];
    const note =
      (name: string) =>
      (request: { url?: string | undefined; headers: NodeJS.Dict<string | string[]> }) =>
        seen.push([
          `${name}${request.url}`,
          request.headers["x-secret"],
          request.headers["cookie"],
          request.headers["user-agent"],
        ]);
    const other = await openSite((request, response) => {
      note("other")(request);
      response.setHeader("content-type", "text/html").end(page("<p>there</p>"));
    });
    const { base } = await openSite((request, response) => {
      note("own")(request);
      if (request.url === "/go")
        response.writeHead(302, { location: `${other.base}/landing` }).end();
      else
        response
          .setHeader("content-type", "text/html")
          .end(
            page(`<script src="${other.base}/image"></script><script src="/own-image"></script>`),
          );
    });
    const headers = { "X-Secret": "s3cret", cookie: "session=1", "user-agent": "Mine/1" };
    await engine.capture({ url: `${base}/`, headers });
    await engine.capture({ url: `${base}/go`, headers });
    const of = (path: string) => seen.find(([url]) => url === path)?.slice(1);
    expect(of("own/")).toEqual(["s3cret", "session=1", "Mine/1"]);
    expect(of("own/own-image")).toEqual(["s3cret", "session=1", "Mine/1"]);
    expect(of("own/go")).toEqual(["s3cret", "session=1", "Mine/1"]);
    expect(of("other/image")).toEqual([undefined, undefined, "Mine/1"]);
    expect(of("other/landing")).toEqual([undefined, undefined, "Mine/1"]);
  });
});
