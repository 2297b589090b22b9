import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine({
    config: { egressAllow: ["127.0.0.1"] },
    lookup: async () => ["127.0.0.1"],
  });
});
afterAll(async () => {
  await engine.close();
});
afterEach(closeAll);

const ARTICLE = `<main><h1>Tides</h1><p>${"The tide comes in twice a day. ".repeat(30)}</p></main>`;

/** Fixed at the bottom; its buttons record what was clicked. */
const BANNER = `<div id="notice" style="position:fixed;bottom:0;left:0;right:0;background:#fff;z-index:9">
  We use cookies to show you what we like. <button onclick="clicked('yes')">Accept all</button>
  <button onclick="clicked('no')">Reject all</button></div>
  <script>function clicked(answer) { document.body.dataset.answer = answer; notice.remove(); }</script>`;

async function openPage(body: string): Promise<{ base: string; seen: string[] }> {
  const seen: string[] = [];
  const site = await openSite((request, response) => {
    seen.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    response.setHeader("content-type", "text/html");
    response.end(
      request.url === "/"
        ? `<!doctype html><title>t</title><body>${body.replaceAll("PORT", String(site.port))}`
        : "",
    );
  });
  return { base: site.base, seen };
}

describe("blockAds", () => {
  it("does not connect to ad hosts unless blockAds is false", async () => {
    const { base, seen } = await openPage(
      `${ARTICLE}<script src="http://ad.doubleclick.net:PORT/ad"></script><script src="http://images.example:PORT/picture"></script>`,
    );
    const { text } = await engine.capture({ url: base, blockAds: true });
    expect(text).toContain("The tide comes in");
    expect(seen).toContain("images.example/picture");
    expect(seen).not.toContain("ad.doubleclick.net/ad");
    await engine.capture({ url: base, blockAds: false });
    expect(seen).toContain("ad.doubleclick.net/ad");
  });

  it("declines or removes a cookie banner unless blockAds is false", async () => {
    const { base } = await openPage(ARTICLE + BANNER);
    const { text } = await engine.capture({ url: base, blockAds: true });
    expect(text).toContain("The tide comes in");
    expect(text).not.toContain("We use cookies");
    expect(text).not.toContain('data-answer="yes"');
    expect((await engine.capture({ url: base, blockAds: false })).text).toContain("We use cookies");
  });

  it("removes an unknown consent wall with its backdrop and makes the page scrollable", async () => {
    const { base } = await openPage(`${ARTICLE}
      <style>body { overflow: hidden }</style>
      <div style="position:fixed;inset:0;background:#0008;z-index:8"></div>
      <section style="position:fixed;top:30%;left:20%;width:60%;background:#fff;z-index:9"><p>Wir verwenden Cookies.</p><button>Weiter</button></section>`);
    const { text } = await engine.capture({ url: base, blockAds: true });
    expect(text).not.toContain("Wir verwenden");
    expect(text).not.toContain("#0008");
    expect(text).toMatch(/<body style="overflow-y: auto !important/);
  });

  it("leaves a page about cookies unchanged", async () => {
    const { base } =
      await openPage(`<header style="position:sticky;top:0"><a href="/">Cookie recipes</a></header>
      <div class="cookie-recipe"><p>${"Cookies are baked at 180 degrees. ".repeat(150)}</p><button>Print</button></div>`);
    const { text } = await engine.capture({ url: base, blockAds: true });
    expect(text).toContain("Cookies are baked");
    expect(text).toContain("Cookie recipes");
  });
});
