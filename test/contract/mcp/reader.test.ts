// Pages by plain GET: /read/URL and /find/WORDS.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { countTokens } from "../../../src/ranking/model-tokens.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let base: string;
let service: Service;
let key: string;
const asked: string[] = [];

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/broken-frame") {
      request.socket.destroy();
      return;
    }
    if (request.url === "/missing") {
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Gone</h1><p>No page.</p>");
      return;
    }
    const named = /^\/(beacon|lighthouse)/.exec(request.url ?? "")?.[1];
    if (named !== undefined) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<title>${`The ${named} of the harbour `.repeat(20)}</title><main><h1>Tower</h1>${`<p>The ${named} stands on the rock at the end of the pier, and its light is white.</p>`.repeat(30)}</main>`,
      );
      return;
    }
    if (request.url === "/notes.py") {
      response.writeHead(200, { "content-type": "text/x-python" }).end("# [a](b)\nx = *p * 2\n");
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    if (request.url === "/frames") {
      response.end(`<title>Board</title><main><h1>Departures of today</h1><p>The board of the harbour shows the departures of today, with all delays.</p>
<iframe src="/frame?day=1"></iframe><iframe data-src="/frame-late"></iframe><iframe src="about:blank"></iframe><iframe src="/broken-frame"></iframe></main>`);
      return;
    }
    if (request.url?.startsWith("/frame")) {
      response.end(
        `<title>Frame</title><p>The mail boat of ${request.url} leaves at noon from the northern quay.</p>`,
      );
      return;
    }
    if (request.url === "/echo") {
      const { cookie, referer, "user-agent": agent } = request.headers;
      response.end(
        `<title>Echo</title><main><p>${String(cookie)} | ${String(referer)} | ${String(agent)} came with this request to the harbour.</p></main>`,
      );
      return;
    }
    if (request.url === "/list") {
      response.end(
        `<title>News</title><main><h1>News</h1>${["Pier", "Tide", "Ferry"].map((name, at) => `<article><h2><a href="/n/${name}">${name} news & more</a></h2><time datetime="2026-03-0${at + 1}">a day</time><p>What there is to know about it, in one sentence.</p></article>`).join("")}</main>`,
      );
      return;
    }
    response.end(`<title>Ferry "times" of ${request.url ?? ""}</title>
<meta property="article:published_time" content="2026-03-04T05:06:07Z">
<main><h1>Ferry "times"</h1><p>The ferry to the northern island leaves <b>every hour</b> from pier four, see <a href="/map">the map</a>.</p>
<div class="side"><p>Tickets are sold on board only, in cash.</p></div><p>${Array.from({ length: 400 }, (_, at) => `island${at}`).join(" ")}</p></main>`);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"], keyInAddress: true });
  key = await createKey("reader", ["read"]);
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

async function createKey(name: string, scopes: string[]): Promise<string> {
  const { body } = await service.admin("POST", "/admin/keys", { name, scopes });
  return (body.data as unknown as { key: string }).key;
}

async function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text: await response.text() };
}

describe.skipIf(isRemote)("GET /read/URL", () => {
  it("GET /read returns Markdown as text after title, URL and date", async () => {
    const { status, type, text } = await get(`/read/${base}/times`);
    expect([status, type]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(text).toMatch(
      /^---\ntitle: "Ferry \\"times\\""\nurl: "http:\/\/127[^"]*\/times"\ndate: "2026-03-04T05:06:07[^"]*"\n---\n\n# Ferry "times"\n/,
    );
    expect(text).toContain("**every hour**");
  });

  it("GET /read passes the query to the page and accepts an encoded URL", async () => {
    await get(`/read/${base}/q?a=1&timeout=3&x-max-tokens=60&b=2`);
    expect(asked).toContain("/q?a=1&timeout=3&b=2");
    await get(`/read/${encodeURIComponent(`${base}/e?c=3&d=4`)}`);
    expect(asked).toContain("/e?c=3&d=4");
  });

  it("GET /read narrows the page by selectors in headers or query", async () => {
    const target = await get(`/read/${base}/t`, { "x-target-selector": ".side" });
    expect(target.text).toContain("in cash");
    expect(target.text).not.toContain("every hour");
    const removed = await get(`/read/${base}/r?x-remove-selector=.side`);
    expect(removed.text).toContain("every hour");
    expect(removed.text).not.toContain("in cash");
  });

  it("GET /read returns plain text, HTML, JSON and an event stream", async () => {
    const code = await get(`/read/${base}/notes.py`, { "x-respond-with": "text" });
    expect(code.text).toContain("# [a](b)\nx = *p * 2");
    const plain = await get(`/read/${base}/f`, { "x-respond-with": "text" });
    expect(plain.type).toBe("text/plain; charset=utf-8");
    expect(plain.text).toContain("leaves every hour from pier four, see the map.");
    const html = await get(`/read/${base}/f`, { "x-return-format": "html" });
    expect(html.type).toBe("text/plain; charset=utf-8");
    expect(html.text).toContain("<b>every hour</b>");
    const json = await get(`/read/${base}/f`, { accept: "application/json" });
    expect(JSON.parse(json.text)).toMatchObject({
      success: true,
      data: { title: 'Ferry "times"', content: expect.stringContaining("# Ferry") as string },
    });
    const stream = await get(`/read/${base}/f`, { accept: "text/event-stream" });
    expect(stream.type).toMatch(/^text\/event-stream/);
    expect(
      JSON.parse(/^retry: \d+\nevent: page\ndata: (.*)\n\n$/.exec(stream.text)?.[1] ?? ""),
    ).toMatchObject({
      url: `${base}/f`,
    });
  });

  it("GET /read truncates at the requested tokens and reports the total", async () => {
    const { text } = await get(`/read/${base}/long?x-max-tokens=100`);
    expect(text.length).toBeLessThan(900);
    expect(Number(/\ncutOfTokens: (\d+)\n/.exec(text)?.[1])).toBeGreaterThan(500);
  });

  it("GET /read lists links on request", async () => {
    const { text } = await get(`/read/${base}/l`, { "x-with-links-summary": "true" });
    expect(text).toContain(`\nLinks:\n- <${base}/map>`);
  });

  it("GET /read keeps links and images as requested", async () => {
    const { text } = await get(`/read/${base}/l`);
    expect(text).toContain("](");
    const { text: bare } = await get(`/read/${base}/l`, { "x-retain-links": "text" });
    expect(bare).not.toContain("](");
    const wrong = await get(`/read/${base}/l`, { "x-retain-images": "few" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("x-retain-images")]);
  });

  it("GET /read uses the cache as requested", async () => {
    await get(`/read/${base}/cache`);
    const count = (): number => asked.filter((url) => url === "/cache").length;
    const before = count();
    await get(`/read/${base}/cache`, { "x-cache-tolerance": "3600" });
    expect(count()).toBe(before);
    await get(`/read/${base}/cache`, { "x-no-cache": "true" });
    expect(count()).toBe(before + 1);
  });

  it("GET /read puts the content of frames after the page on request", async () => {
    const without = await get(`/read/${base}/frames`);
    expect(without.text).not.toContain("mail boat");
    const { text } = await get(`/read/${base}/frames?x-with-iframe=true`);
    expect(text).toContain("shows the departures of today");
    expect(text).toContain(
      `Frame: <${base}/frame?day=1>\n\nThe mail boat of /frame?day=1 leaves at noon`,
    );
    expect(text).toContain("The mail boat of /frame-late leaves at noon");
    expect(text).toMatch(/\nwarning: .*Frames that could not be read: .*\/broken-frame/);
  });

  it("GET /read sends the cookie, referrer and user agent of the call to the page", async () => {
    const { text } = await get(`/read/${base}/echo`, {
      "x-set-cookie": "berth=7; Path=/; Secure",
      "x-referer": "https://harbour.test/",
      "x-user-agent": "Mate/1.0",
    });
    expect(text).toContain("berth=7 | https://harbour.test/ | Mate/1.0 came");
    const wrong = await get(`/read/${base}/echo`, { "x-set-cookie": "berth" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("x-set-cookie")]);
  });

  it("GET /read names unsupported and invalid options", async () => {
    const refused = await get(`/read/${base}/`, { "x-with-generated-alt": "true" });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("x-with-generated-alt is not supported by this reader: pictures"),
    ]);
    const feed = await get(`/read/${base}/`, { "x-respond-with": "rss" });
    expect([feed.status, feed.text]).toEqual([
      400,
      expect.stringContaining(
        "x-respond-with: must be markdown, content, text, html, screenshot or pageshot at /read/URL",
      ),
    ]);
    const wrong = await get(`/read/${base}/`, { "x-timeout": "soon" });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining("x-timeout: must be a number of seconds from 1 to 300"),
    ]);
    const empty = await get("/read/");
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining("/read/https://")]);
  });

  it("GET /read never returns a page of this origin to a browser", async () => {
    const response = await fetch(`${service.url}/read/${base}/b`, {
      headers: { authorization: `Bearer ${key}`, accept: "text/html,*/*" },
    });
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
  });
});

describe.skipIf(isRemote)("GET /feed/URL", () => {
  it.each([
    ["", "application/rss+xml; charset=utf-8", "<pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate>"],
    ["?x-respond-with=atom", "application/atom+xml; charset=utf-8", "<published>2026-03-01T"],
    [
      "?x-respond-with=json",
      "application/feed+json; charset=utf-8",
      '"date_published": "2026-03-01',
    ],
  ])("GET /feed returns the entries of a list page: %j", async (query, type, text) => {
    const feed = await get(`/feed/${base}/list${query}`);
    expect([feed.status, feed.type]).toEqual([200, type]);
    expect(feed.text).toContain(text);
    expect(feed.text).toContain(`${base}/n/Ferry`);
    expect(feed.text).toContain("What there is to know about it");
  });

  it("GET /feed answers 404 for a page without a list and 400 for another form", async () => {
    const none = await get(`/feed/${base}/times`);
    expect([none.status, none.text]).toEqual([404, expect.stringContaining("no list")]);
    const wrong = await get(`/feed/${base}/list?x-respond-with=html`);
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("rss, atom or json")]);
  });

  it("GET /feed accepts a reader key in the URL and keeps it out of the feed", async () => {
    const response = await fetch(`${service.url}/feed/${base}/list?key=${key}`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain(key);
    expect(text).toContain(`/feed/${base}/list"`);
  });
});

describe.skipIf(isRemote)("reader keys", () => {
  it("the reader requires the scope read and accepts a key in the URL only with that scope alone", async () => {
    const all = await createKey("all", ["read", "scrape"]);
    const none = await createKey("none", ["jobs"]);
    const status = async (query: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(`${service.url}/read/${base}/k${query}`, { headers })).status;
    expect(await status("")).toBe(401);
    expect(await status("", { authorization: `Bearer ${all}` })).toBe(200);
    expect(await status("", { authorization: `Bearer ${none}` })).toBe(403);
    expect(await status(`?a=1&key=${key}`)).toBe(200);
    expect(asked).toContain("/k?a=1");
    expect(asked.join(" ")).not.toContain(key);
    expect(await status(`?key=${all}`)).toBe(403);
    expect(await status(`?key=qy-${"a".repeat(43)}`)).toBe(401);
  });
});

describe.skipIf(isRemote)("GET /find/WORDS", () => {
  it("GET /find returns the best pages with matching passages within the token budget", async () => {
    await get(`/read/${base}/found`);
    await expect
      .poll(async () => (await get("/find/northern%20island%20ferry")).text, { timeout: 20_000 })
      .toContain("leaves **every hour** from pier four");
    const { text } = await get("/find/northern+island+ferry?x-max-tokens=300");
    expect(text).toMatch(/^---\ntitle: /);
    expect(text.length).toBeLessThan(1_500);
    const json = await get("/find/northern%20island", { accept: "application/json" });
    expect(JSON.parse(json.text)).toMatchObject({ data: { query: "northern island" } });
    expect((await get("/find/")).status).toBe(400);
    const shaped = await get("/find/northern%20island?x-retain-links=none&x-remove-selector=b");
    expect(shaped.text).not.toContain("every hour");
    for (const name of ["x-with-iframe", "x-set-cookie"]) {
      const refused = await get("/find/northern", { [name]: "a=b" });
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining(`${name} works at /read/URL only`),
      ]);
    }
  }, 30_000);

  it("GET /find keeps x-max-tokens with a long title, and names it if no URL fits", async () => {
    await get(`/read/${base}/beacon`);
    await get(`/read/${base}/lighthouse/${"rock-and-pier-".repeat(20)}`);
    const find = async (words: string, tokens: number, accept = "*/*") =>
      await get(`/find/${words}?x-max-tokens=${tokens}`, { accept });
    await expect
      .poll(async () => (await find("beacon", 8_000)).text, { timeout: 20_000 })
      .toContain("at the end of the pier");
    await expect
      .poll(async () => (await find("lighthouse", 8_000)).text, { timeout: 20_000 })
      .toContain("at the end of the pier");
    for (const accept of ["*/*", "application/json", "text/event-stream"])
      for (const tokens of [80, 200]) {
        const { status, text } = await find("beacon", tokens, accept);
        expect(status, text).toBe(200);
        expect(text).toContain("The beacon");
        expect(countTokens(text), text).toBeLessThanOrEqual(tokens);
      }
    const least = await find("beacon", 50);
    expect(least.status).toBe(200);
    expect(countTokens(least.text)).toBeLessThanOrEqual(50);
    const refused = await find("lighthouse", 50);
    const needed = /x-max-tokens: 50 is too few for the URL of a page; give at least (\d+)\./.exec(
      refused.text,
    )?.[1];
    expect([refused.status, Number(needed) > 100], refused.text).toEqual([400, true]);
    const enough = await find("lighthouse", Number(needed));
    expect([enough.status, countTokens(enough.text) <= Number(needed)]).toEqual([200, true]);
  }, 60_000);
});
