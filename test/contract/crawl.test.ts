// Crawls over HTTP, through the client: which pages come, what becomes of the others, how a job is read.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FinishedJob } from "../../client/client.ts";
import { ConflictError, NotFoundError } from "../../client/errors.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { isRemote, startService, type Service } from "../service.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const page =
  (title: string, links: readonly string[] = [], head = ""): Answer =>
  (_request, response) => {
    const anchors = links.map((to) => `<a href="${to}">${to}</a>`).join(" ");
    const text = `<p>${`This is the page called ${title}, and it has some words of its own. `.repeat(3)}</p>`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>${title}</title>${head}<main><h1>${title}</h1>${text}${anchors}</main>`);
  };
const redirect =
  (to: string): Answer =>
  (_request, response) =>
    void response.writeHead(302, { location: to }).end();

/** What the site answers by path; anything else is a 404. */
const answers = new Map<string, Answer>();
const asked: string[] = [];
let base: string;
let service: Service;
beforeAll(async () => {
  ({ base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const answer = answers.get(path) ?? answers.get(path.replace(/\?.*$/, "?"));
    if (answer === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("no");
    else answer(request, response);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1", "localhost"] });
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

/** Serves pages below a place of their own: each test has its site. */
let sites = 0;
function serve(pages: Readonly<Record<string, Answer>>): string {
  const place = `/site${(sites += 1)}`;
  for (const [path, answer] of Object.entries(pages)) answers.set(`${place}${path}`, answer);
  return `${base}${place}`;
}

const crawl = (start: string, parameters: object = {}): Promise<FinishedJob> =>
  service.client.crawl(start, { sitemap: "skip", ...parameters });

const pathsOf = (job: FinishedJob): string[] =>
  job.documents
    .map(({ metadata }) => new URL(metadata.url ?? "").pathname.replace(/^\/site\d+/, ""))
    .toSorted();

async function fates(id: string | undefined): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { url, fate } of service.client.crawlJob(id ?? "").ledgerEntries())
    found[url.replace(base, "").replace(/^\/site\d+/, "")] = fate;
  return found;
}

describe.skipIf(isRemote)("a crawl", () => {
  it("brings each page below the start once, and its counters are right", async () => {
    const start = serve({
      "/": page("start", ["a", "b/", "../site0/above", "a#part", "a"]),
      "/a": page("a", ["b/", "b/c", "."]),
      "/b/": page("b", ["c", "c?x=1"]),
      "/b/c": page("c"),
      "/b/c?x=1": page("c with x"),
    });
    const job = await crawl(`${start}/`);
    expect(pathsOf(job)).toEqual(["/", "/a", "/b/", "/b/c", "/b/c"]);
    expect(job).toMatchObject({ status: "completed", completed: 5, total: 5, creditsUsed: 5 });
    expect(Date.parse(job.completedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(job.createdAt));
    expect(job.documents.every(({ markdown }) => markdown?.includes("page called"))).toBe(true);
    const ledger = await service.client.crawlJob(job.id ?? "").ledger();
    expect(ledger.total).toBe(6);
    expect(Object.values(ledger.sums).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(6);
    expect(await fates(job.id)).toMatchObject({ "/above": "scope", "/b/c?x=1": "fetched" });
  });

  it("keeps to limit, includePaths, excludePaths and maxDiscoveryDepth", async () => {
    const start = serve({
      "/": page("start", ["one", "two", "three"]),
      "/one": page("one", ["deep"]),
      "/two": page("two"),
      "/three": page("three"),
      "/deep": page("deep", ["deeper"]),
      "/deeper": page("deeper"),
    });
    expect((await crawl(`${start}/`, { limit: 2 })).completed).toBe(2);
    const only = await crawl(`${start}/`, { includePaths: ["/(one|two)$"] });
    expect(pathsOf(only)).toEqual(["/one", "/two"]);
    expect(await fates(only.id)).toMatchObject({ "/": "scope", "/three": "scope" });
    const without = await crawl(`${start}/`, { excludePaths: ["t(wo|hree)"] });
    expect(pathsOf(without)).toEqual(["/", "/deep", "/deeper", "/one"]);
    const shallow = await crawl(`${start}/`, { maxDiscoveryDepth: 1 });
    expect(pathsOf(shallow)).toEqual(["/", "/one", "/three", "/two"]);
    expect((await fates(shallow.id))["/deep"]).toBe("depth");
    const none = await crawl(`${start}/`, { includePaths: ["/nowhere"] });
    expect(none).toMatchObject({ status: "completed", completed: 0, total: 0 });
  });

  it("tells two ways to one document apart from a page of its own", async () => {
    const start = serve({
      "/": page("start", ["to-a", "a", "same", "index.html", "away", "tracked?utm=1"]),
      "/a": page("a"),
      "/to-a": redirect("a"),
      "/same": page("a"),
      "/away": redirect("../elsewhere"),
      "/tracked?": page("tracked", [], '<link rel="canonical" href="tracked">'),
      "/tracked": page("tracked too"),
    });
    answers.set("/elsewhere", page("elsewhere"));
    const job = await crawl(`${start}/`);
    const found = await fates(job.id);
    const three = [found["/to-a"], found["/a"], found["/same"]];
    expect(three.filter((fate) => fate === "fetched")).toHaveLength(1);
    expect(three.filter((fate) => fate === "duplicate")).toHaveLength(2);
    expect(found["/away"]).toBe("scope");
    expect(found["/index.html"]).toBeUndefined();
    expect(job.creditsUsed).toBe(job.completed);
  });

  it("goes on over pages that hang, die, answer garbage or break the rules of HTTP", async () => {
    let later = 0;
    let broken = 0;
    const start = serve({
      "/": page("start", [
        "hang",
        "die",
        "half",
        "garbage",
        "later",
        "busy",
        "gone",
        "a.png",
        "loop",
        "ok",
      ]),
      "/hang": () => undefined,
      "/die": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
        response.write("<p>half of a page", () => response.socket?.destroy());
      },
      "/half": (request, response) => {
        broken += 1;
        if (broken > 1) return page("half")(request, response);
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<p>half", () => response.socket?.destroy());
      },
      "/garbage": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 37) % 256)));
      },
      "/later": (request, response) => {
        later += 1;
        if (later < 3) response.writeHead(503, { "retry-after": "0" }).end("later");
        else page("later")(request, response);
      },
      "/busy": (_request, response) => void response.writeHead(429, { "retry-after": "0" }).end(),
      "/loop": redirect("loop"),
      "/ok": page("ok"),
    });
    const job = await crawl(`${start}/`, { scrapeOptions: { timeout: 1_500 } });
    expect(job.status).toBe("completed");
    expect(pathsOf(job)).toEqual(expect.arrayContaining(["/", "/gone", "/later", "/ok"]));
    const { errors } = await service.client.crawlJob(job.id ?? "").errors();
    const codes = Object.fromEntries(
      errors.map(({ url, code }) => [url.replace(/^.*\//, ""), code]),
    );
    expect(codes).toMatchObject({
      hang: "SCRAPE_TIMEOUT",
      busy: "SCRAPE_RETRY_LIMIT",
      loop: "SCRAPE_TOO_MANY_REDIRECTS",
    });
    expect(job.total).toBe(job.completed);
    expect((await fates(job.id))["/a.png"]).toBe("fileType");
    const whole = job.documents.find(({ metadata }) => metadata.url?.endsWith("/half"));
    expect(whole?.markdown).toContain("page called half");
    expect(whole?.warning ?? "").not.toContain("incomplete");
    let reason: string | undefined;
    for await (const entry of service.client.crawlJob(job.id ?? "").ledgerEntries())
      if (entry.url.endsWith("/die") && entry.fate === "fetched") reason = entry.reason;
    expect(reason).toContain("incomplete");
  });

  it("is at home where its start URL moved to: sitemap, links, and what was refused before", async () => {
    const there = await openSite((request, response) => {
      const path = request.url ?? "/";
      const home = `http://localhost:${new URL(there.base).port}`;
      const entries = [`${home}/both`, `${home}/mapped`].map((to) => `<url><loc>${to}</loc></url>`);
      if (path === "/robots.txt") response.writeHead(404).end();
      else if (path === "/sitemap.xml")
        response
          .writeHead(200, { "content-type": "application/xml" })
          .end(
            `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`,
          );
      else page(path, path === "/" ? ["/both", "/linked"] : [])(request, response);
    });
    const away = await openSite(
      (request, response) =>
        void response
          .writeHead(301, {
            location: `http://localhost:${new URL(there.base).port}${request.url}`,
          })
          .end(),
    );
    const job = await service.client.crawl(`${away.base}/`, {});
    expect(pathsOf(job)).toEqual(["/", "/both", "/linked", "/mapped"]);
  });

  it("fails as a whole when the start URL cannot be had", async () => {
    const job = await crawl("http://127.0.0.1:1/");
    expect(job).toMatchObject({ status: "failed", completed: 0, total: 0 });
    expect(job.error).not.toBe("");
    const mapped = await service.client.crawl("http://127.0.0.1:1/", {});
    expect(mapped).toMatchObject({ status: "failed", error: job.error });
  });

  it("tells a host that cannot be reached apart from one whose robots.txt forbids", async () => {
    const start = serve({ "/": page("start", ["http://127.0.0.1:1/one"]) });
    const job = await crawl(`${start}/`, { allowExternalLinks: true });
    const { errors, robotsBlocked } = await service.client.crawlJob(job.id ?? "").errors();
    expect(robotsBlocked).toEqual([]);
    expect(errors).toMatchObject([{ url: "http://127.0.0.1:1/one", code: "SCRAPE_SITE_ERROR" }]);
  });

  it("ends in a calendar without end, and the ledger says why", async () => {
    const start = serve({ "/": page("start", ["day/2031/1"]) });
    const place = new URL(start).pathname;
    for (let day = 1; day <= 120; day++)
      answers.set(`${place}/day/2031/${day}`, page(`day ${day}`, [`${day + 1}`]));
    const job = await crawl(`${start}/`);
    expect(job.status).toBe("completed");
    expect(job.completed).toBeLessThan(70);
    const { sums } = await service.client.crawlJob(job.id ?? "").ledger();
    expect(sums.trap).toBe(1);
  });

  it("takes a page with a hundred thousand links", async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `p${at}`);
    const start = serve({ "/": page("start", many), "/p0": page("p0"), "/p1": page("p1") });
    const job = await crawl(`${start}/`, { limit: 3 });
    expect(job.completed).toBe(3);
    const { total, sums } = await service.client.crawlJob(job.id ?? "").ledger({ limit: 1 });
    expect(total).toBeGreaterThanOrEqual(100_000);
    expect(sums.limit).toBe(total - 3);
  });

  it("asks a host for no page sooner than delay, one at a time", async () => {
    const start = serve({ "/": page("start", ["a", "b"]), "/a": page("a"), "/b": page("b") });
    const job = await crawl(`${start}/`, { delay: 0.3 });
    expect(job.completed).toBe(3);
    expect(job.duration).toBeGreaterThanOrEqual(0.55);
  });

  it("sends the caller's headers to its own site only", async () => {
    const seen: (string | undefined)[] = [];
    const other = await openSite((request, response) => {
      if (request.url !== "/robots.txt") seen.push(request.headers.cookie);
      page("other")(request, response);
    });
    const own: (string | undefined)[] = [];
    const start = serve({
      "/": (request, response) => {
        own.push(request.headers.cookie);
        page("start", [`${other.base}/page`, "logout"])(request, response);
      },
      "/logout": page("logged out"),
    });
    const scrapeOptions = { headers: { Cookie: "a=1" } };
    const job = await crawl(`${start}/`, { allowExternalLinks: true, scrapeOptions });
    expect(job.completed).toBe(2);
    expect(own).toEqual(["a=1"]);
    expect(seen).toEqual([undefined]);
    expect((await fates(job.id))["/logout"]).toBe("scope");
    expect(JSON.stringify(await service.client.activeCrawls())).not.toContain("a=1");
  });
});

describe.skipIf(isRemote)("reading a crawl", () => {
  let done: FinishedJob;
  beforeAll(async () => {
    const links = Array.from({ length: 9 }, (_, at) => `p${at}`);
    const start = serve({
      "/": page("start", links),
      ...Object.fromEntries(links.map((path) => [`/${path}`, page(path)])),
    });
    done = await crawl(`${start}/`);
  });

  it("pages with skip and limit on the host the caller used, and ends", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "api.example:8443" };
    const urls: unknown[] = [];
    let path = `/v2/crawl/${done.id}?limit=4`;
    let hops = 0;
    for (;;) {
      const { body } = await service.ask(path, { headers });
      hops += 1;
      urls.push(
        ...(body.data as unknown as { metadata: { url: string } }[]).map((d) => d.metadata.url),
      );
      const next = body["next"] as string | undefined;
      if (next === undefined) break;
      expect(next).toMatch(/^https:\/\/api\.example:8443\/v2\/crawl\//);
      path = next.replace("https://api.example:8443", "");
    }
    expect(hops).toBe(3);
    expect(new Set(urls).size).toBe(10);
    const past = await service.ask(`/v2/crawl/${done.id}?skip=50`);
    expect(past.body).toMatchObject({ success: true, data: [] });
    expect(past.body["next"]).toBeUndefined();
  });

  it.each(["skip=x", "limit=0", "limit=1001", "limit=1.5"])("refuses %s", async (query) => {
    const { status, body } = await service.ask(`/v2/crawl/${done.id}?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Invalid pagination/);
  });

  it("is 404 for the unknown and for other accounts' kinds, 400 for what is no id", async () => {
    const unknown = "0199f0c0-0000-7000-8000-000000000000";
    for (const path of ["", "/errors", "/ledger", "/export"])
      expect((await service.ask(`/v2/crawl/${unknown}${path}`)).status, path).toBe(404);
    expect((await service.ask(`/v2/batch/scrape/${done.id}`)).status).toBe(404);
    await expect(service.client.crawlJob(unknown).cancel()).rejects.toThrow(NotFoundError);
    const { status, body } = await service.ask("/v2/crawl/abc");
    expect([status, body.error]).toEqual([
      400,
      "Invalid job ID format. Job ID must be a valid UUID.",
    ]);
  });

  it("streams the ledger as CSV and NDJSON, and all documents", async () => {
    const csv = await service.ask(`/v2/crawl/${done.id}/ledger?format=csv`);
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.text.trim().split("\r\n")).toHaveLength(11);
    expect(csv.text).toMatch(/^url,fate,reason,parent,depth\r\n/);
    const lines = await service.ask(`/v2/crawl/${done.id}/ledger?format=ndjson&fate=fetched`);
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).fate),
    ).toEqual(Array(10).fill("fetched"));
    const all = await service.ask(`/v2/crawl/${done.id}/export`);
    expect(
      all.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).markdown),
    ).toHaveLength(10);
  });

  it("shows a running crawl as active, holds a read at its end, and ends it on request", async () => {
    let release = (): void => undefined;
    const start = serve({
      "/": page("start", ["slow"]),
      "/slow": (request, response) => {
        release = () => page("slow")(request, response);
      },
    });
    const job = await service.client.startCrawl(`${start}/`, { sitemap: "skip" });
    for await (const document of job.documents()) {
      expect(document.metadata.title).toBe("start");
      break;
    }
    const active = await service.client.activeCrawls();
    expect(active.map(({ id, url }) => [id, url])).toContainEqual([job.id, `${start}/`]);
    const before = performance.now();
    const held = await job.status({ skip: 1 });
    expect(performance.now() - before).toBeGreaterThan(900);
    expect(held).toMatchObject({ status: "scraping", completed: 1, total: 2, data: [] });
    expect(held.next).toContain("skip=1");
    await job.cancel();
    await job.cancel();
    release();
    const after = await job.status();
    expect(after).toMatchObject({ status: "cancelled", completed: 1, total: 1 });
    expect(after.next ?? undefined).toBeUndefined();
    expect((await service.client.activeCrawls()).map(({ id }) => id)).not.toContain(job.id);
    expect((await job.ledger()).sums).toEqual({ fetched: 1, cancelled: 1 });
  });
});

describe.skipIf(isRemote)("starting a crawl", () => {
  it("refuses a pattern that cannot run in linear time, and fields it does not know", async () => {
    const start = async (body: object) => service.ask("/v2/crawl", { method: "POST", body });
    const lookAround = await start({ url: base, includePaths: ["(?=a)b"] });
    expect(lookAround.status).toBe(400);
    expect(lookAround.body.error).toContain("look-ahead");
    expect((await start({ url: base, includePath: [] })).status).toBe(400);
    expect((await start({ url: base, limit: 0 })).status).toBe(400);
  });

  it("takes an idempotency key once", async () => {
    const start = serve({ "/": page("start") });
    const options = { idempotencyKey: "0199f0c0-0000-7000-8000-00000000000a" };
    const first = await service.client.startCrawl(`${start}/`, {}, options);
    await expect(service.client.startCrawl(`${start}/`, {}, options)).rejects.toThrow(
      ConflictError,
    );
    expect((await first.wait()).status).toBe("completed");
    await expect(
      service.client.startCrawl(`${start}/`, {}, { idempotencyKey: "abc" }),
    ).rejects.toThrow(/UUID/);
  });

  it("says that a prompt had no effect, and lets the fields win", async () => {
    const start = serve({ "/": page("start", ["a"]), "/a": page("a") });
    const { body } = await service.ask("/v2/crawl", {
      method: "POST",
      body: { url: `${start}/`, prompt: "only the blog", limit: 1 },
    });
    expect(body["warning"]).toContain("No language model");
    const job = service.client.crawlJob(String(body["id"]));
    const status = await job.wait();
    expect(status).toMatchObject({ completed: 1 });
    expect(status.warning).toContain("No language model");
  });

  it("costs what its pages cost: held at the start, clamped to the budget, settled at the end", async () => {
    const links = Array.from({ length: 8 }, (_, at) => `p${at}`);
    const start = serve({
      "/": page("start", links),
      ...Object.fromEntries(links.map((path) => [`/${path}`, page(path)])),
    });
    const { key } = await service.createKey({ creditBudget: 5 });
    const ask = (path: string, body?: object) =>
      service.ask(path, { key, ...(body === undefined ? {} : { method: "POST", body }) });
    const { body } = await ask("/v2/crawl", { url: `${start}/`, sitemap: "skip" });
    expect(body["warning"]).toContain("5 pages");
    let status = await ask(`/v2/crawl/${String(body["id"])}?skip=100`);
    while (status.body["status"] === "scraping")
      status = await ask(`/v2/crawl/${String(body["id"])}?skip=100`);
    expect(status.body).toMatchObject({ status: "completed", completed: 5, creditsUsed: 5 });
    const second = await ask("/v2/crawl", { url: `${start}/` });
    expect(second.status).toBe(402);
  });
});
