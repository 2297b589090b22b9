// Crawls over HTTP, through the client: which pages are returned and the fate of the others.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closedSite, openSite } from "../../http-fetching.ts";
import {
  type Answer,
  closeCrawls,
  openCrawls,
  answers,
  service,
  page,
  redirect,
  serve,
  crawl,
  listPaths,
  fates,
} from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

describe.skipIf(isRemote)("crawl", () => {
  it("returns each page below the start once with correct counters", async () => {
    const start = serve({
      "/": page("start", ["a", "b/", "../site0/above", "a#part", "a"]),
      "/a": page("a", ["b/", "b/c", "."]),
      "/b/": page("b", ["c", "c?x=1"]),
      "/b/c": page("c"),
      "/b/c?x=1": page("c with x"),
    });
    const job = await crawl(`${start}/`);
    expect(listPaths(job)).toEqual(["/", "/a", "/b/", "/b/c", "/b/c"]);
    expect(job).toMatchObject({ status: "completed", completed: 5, total: 5, creditsUsed: 5 });
    expect(Date.parse(job.completedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(job.createdAt));
    expect(job.documents.every(({ markdown }) => markdown?.includes("page called"))).toBe(true);
    const ledger = await service.client.crawlJob(job.id ?? "").ledger();
    expect(ledger.total).toBe(6);
    expect(Object.values(ledger.sums).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(6);
    expect(await fates(job.id)).toMatchObject({ "/above": "scope", "/b/c?x=1": "fetched" });
  });

  it("respects limit, includePaths, excludePaths and maxDiscoveryDepth", async () => {
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
    expect(listPaths(only)).toEqual(["/one", "/two"]);
    expect(await fates(only.id)).toMatchObject({ "/": "scope", "/three": "scope" });
    const without = await crawl(`${start}/`, { excludePaths: ["t(wo|hree)"] });
    expect(listPaths(without)).toEqual(["/", "/deep", "/deeper", "/one"]);
    const shallow = await crawl(`${start}/`, { maxDiscoveryDepth: 1 });
    expect(listPaths(shallow)).toEqual(["/", "/one", "/three", "/two"]);
    expect((await fates(shallow.id))["/deep"]).toBe("depth");
    const alone = await crawl(`${start}/`, { maxDiscoveryDepth: 0 });
    expect(listPaths(alone)).toEqual(["/"]);
    const none = await crawl(`${start}/`, { includePaths: ["/nowhere"] });
    expect(none).toMatchObject({ status: "completed", completed: 0, total: 0 });
  });

  it("counts rel=next as a hop, because manuals chain all pages by it", async () => {
    const next = (to: string) => `<link rel="next" href="${to}">`;
    const start = serve({
      "/": page("start", ["one"], next("one")),
      "/one": page("one", [], next("two")),
      "/two": page("two", [], next("three")),
    });
    expect(listPaths(await crawl(`${start}/`, { maxDiscoveryDepth: 1 }))).toEqual(["/", "/one"]);
  });

  it("measures depth on the shortest path even if it is found later", async () => {
    const wAsked = Promise.withResolvers<void>();
    const xAsked = Promise.withResolvers<void>();
    const after =
      (wait: Promise<void>, answer: Answer): Answer =>
      async (...about) => {
        await wait;
        answer(...about);
      };
    const start = serve({
      "/": page("start", ["slow", "q1"]),
      "/slow": after(wAsked.promise, page("slow", ["x"])),
      "/q1": page("q1", ["q2"]),
      "/q2": page("q2", ["w", "x"]),
      // One of two pages hangs until the other has reported the shorter path.
      "/w": (...about) => {
        wAsked.resolve();
        after(xAsked.promise, page("w"))(...about);
      },
      "/x": (...about) => {
        xAsked.resolve();
        page("x", ["child"])(...about);
      },
      "/child": page("child", ["far"]),
      "/far": page("far"),
    });
    const job = await crawl(`${start}/`, { maxDiscoveryDepth: 3, maxConcurrency: 2 });
    expect(listPaths(job)).toEqual(["/", "/child", "/q1", "/q2", "/slow", "/w", "/x"]);
    expect((await fates(job.id))["/far"]).toBe("depth");
  });

  it("distinguishes two paths to one document from separate pages", async () => {
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

  it("continues past pages that hang, die, answer garbage or violate HTTP", async () => {
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
    expect(listPaths(job)).toEqual(expect.arrayContaining(["/", "/gone", "/later", "/ok"]));
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

  it("moves home to the target of a redirected start URL, including sitemap and refused links", async () => {
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
    expect(listPaths(job)).toEqual(["/", "/both", "/linked", "/mapped"]);
  });

  it.each(["http://10.0.0.1/", "http://[::ffff:192.168.0.1]/docs", "http://169.254.169.254/"])(
    "rejects a crawl of %s, which can never be reached, before creating a job",
    async (url) => {
      const { status, body } = await service.ask("/v2/crawl", { method: "POST", body: { url } });
      expect([status, body.code]).toEqual([403, "UNSUPPORTED_SITE"]);
      expect(body.error).toContain("may not be reached from this server");
      expect(body).not.toHaveProperty("id");
    },
  );

  it("fails the crawl when the start URL cannot be fetched", async () => {
    const base = await closedSite();
    const job = await crawl(`${base}/`);
    expect(job).toMatchObject({ status: "failed", completed: 0, total: 0 });
    expect(job.error).not.toBe("");
    expect(job.code).toBe("SCRAPE_SITE_ERROR");
    const { jobs } = await service.client.listJobs({ state: "failed" });
    expect(jobs[0]).toMatchObject({ id: job.id, error: job.error, code: "SCRAPE_SITE_ERROR" });
    const mapped = await service.client.crawl(`${base}/`, {});
    expect(mapped).toMatchObject({ status: "failed", error: job.error });
  });

  it("distinguishes an unreachable host from one blocked by robots.txt", async () => {
    const start = serve({ "/": page("start", ["http://127.0.0.1:1/one"]) });
    const job = await crawl(`${start}/`, { allowExternalLinks: true });
    const { errors, robotsBlocked } = await service.client.crawlJob(job.id ?? "").errors();
    expect(robotsBlocked).toEqual([]);
    expect(errors).toMatchObject([{ url: "http://127.0.0.1:1/one", code: "SCRAPE_SITE_ERROR" }]);
  });

  it("ends in an endless calendar and records why in the ledger", async () => {
    const start = serve({ "/": page("start", ["day/2031/1"]) });
    const place = new URL(start).pathname;
    for (let day = 1; day <= 120; day++)
      answers.set(`${place}/day/2031/${day}`, page(`day ${day}`, [`${day + 1}`]));
    const job = await crawl(`${start}/`);
    expect(job.status).toBe("completed");
    expect(job.completed).toBeLessThan(70);
    const { sums } = await service.client.crawlJob(job.id ?? "").ledger();
    expect(sums.trap).toBe(1);
    expect(job.warning).toContain("day/#/# were skipped as a spider trap");
  });

  it("handles a page with a hundred thousand links", { timeout: 120_000 }, async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `p${at}`);
    const start = serve({ "/": page("start", many), "/p0": page("p0"), "/p1": page("p1") });
    const job = await crawl(`${start}/`, { limit: 3 });
    expect(job.completed).toBe(3);
    const { total, sums } = await service.client.crawlJob(job.id ?? "").ledger({ limit: 1 });
    expect(total).toBeGreaterThanOrEqual(100_000);
    expect(sums.limit).toBe(total - 3);
  });

  it("with a delay fetches one page at a time, no sooner than the delay", async () => {
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
