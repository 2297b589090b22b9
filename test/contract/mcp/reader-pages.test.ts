// Options of the reader that change what a page is: shadow roots, overlays, redirects, images.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const TEXT = `<p>The harbour office keeps a list of all berths, and boats that stay for the night are written into it.</p>
<p>The pier is two hundred metres long and has forty berths on each side, with water and power.</p>`;
const DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4";
const PAGES: Readonly<Record<string, string>> = {
  "/shadow": `<title>Fees</title><main><h1>Fees</h1>${TEXT}<night-fee></night-fee></main><script>
customElements.define("night-fee", class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: "open" }).innerHTML = "<p>One night in the inner basin is twenty crowns.</p>"; } });</script>`,
  "/overlay": `<title>Harbour</title><style>.veil, .letter { position: fixed; inset: 0; z-index: 9 } .letter { inset: 20% }
.bar { position: fixed; top: 0 }</style><body style="overflow: hidden"><main><div class="bar">Storm warning for the outer wall until Sunday evening.</div><h1>Harbour</h1>${TEXT}
<div class="letter"><p>Subscribe to the weekly letter of the harbour and never miss a tide again.</p></div>
<div role="dialog" aria-modal="true" style="position: absolute; top: 0"><p>Tell us where you are sailing from, so that we can show prices in your currency.</p></div></main><div class="veil"></div>`,
  "/new/place/": `<title>Moved</title><main><h1>Moved</h1>${TEXT}<p>See <a href="tides">the tides</a> and <img src="pier.png" alt="The pier"></p></main>`,
  "/data": `<title>Dot</title><main><h1>Dot</h1>${TEXT}<p><img alt="Red dot" src="${DOT}"></p></main>`,
};

let base: string;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const html = PAGES[request.url ?? ""];
    if (request.url === "/old") response.writeHead(301, { location: "/new/place/" }).end();
    else if (html === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

async function read(page: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${service.url}/read/${base}${page}`, {
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

describe.skipIf(isRemote)("GET /read/URL with options about the page", () => {
  it("x-with-shadow-dom reads shadow roots that scripts attach", async () => {
    const fee = "One night in the inner basin is twenty crowns.";
    expect(await read("/shadow")).not.toContain(fee);
    expect(await read("/shadow", { "x-with-shadow-dom": "true" })).toContain(fee);
  }, 60_000);

  it("x-remove-overlay removes dialogs and covers, and keeps bars and the page", async () => {
    const html = await read("/overlay", {
      "x-respond-with": "html",
      "x-engine": "browser",
    });
    expect(html).toContain("weekly letter");
    const without = await read("/overlay", {
      "x-respond-with": "html",
      "x-remove-overlay": "true",
    });
    expect(without).not.toMatch(/weekly letter|your currency/);
    expect(without).toContain("forty berths on each side");
    expect(without).toContain("Storm warning for the outer wall");
  }, 60_000);

  it("returns the address of a screenshot as JSON if Accept requests it, else redirects to it", async () => {
    const headers = { "x-respond-with": "screenshot", accept: "application/json" };
    const { data } = JSON.parse(await read("/data", headers)) as { data: { screenshot: string } };
    expect(data).toMatchObject({ title: "Dot", url: `${base}/data` });
    expect((await fetch(data.screenshot)).headers.get("content-type")).toBe("image/png");
    const response = await fetch(`${service.url}/read/${base}/data?x-respond-with=screenshot`, {
      headers: { authorization: `Bearer ${service.key}` },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      expect.stringContaining("/blobs/"),
    ]);
  }, 60_000);

  it("resolves links and images against the URL after redirects, as x-base: final requests", async () => {
    const text = await read("/old", { "x-base": "final" });
    expect(text).toContain(`url: "${base}/new/place/"`);
    expect(text).toContain(`[the tides](${base}/new/place/tides)`);
    expect(text).toContain(`![The pier](${base}/new/place/pier.png)`);
    const initial = await fetch(`${service.url}/read/${base}/old?x-base=initial`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect([initial.status, await initial.text()]).toEqual([
      400,
      expect.stringContaining("x-base: must be final"),
    ]);
  });

  it("x-keep-img-data-url keeps the data of images", async () => {
    expect(await read("/data")).toContain("![Red dot](<Base64-Image-Removed>)");
    expect(await read("/data", { "x-keep-img-data-url": "true" })).toContain(`![Red dot](${DOT})`);
  });
});
