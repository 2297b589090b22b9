// Pages that use a browser, and how the answer reports it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeExplanation } from "../../../src/scrape/explanation.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";

const page = (body: string, head = ""): string =>
  `<!doctype html><html><head><title>A page of the harbour</title>${head}</head><body>${body}</body></html>`;
const WORDS = "The tide comes in twice a day and leaves the sand as it was before. ".repeat(20);
const SHELL = page(
  `<div id="root"></div><script>document.getElementById("root").innerHTML = "<main><h1>Made by a script</h1><p>${WORDS}</p></main>"</script>`,
);

let service: Service;
let site: Awaited<ReturnType<typeof openSite>>;
let asked: string[] = [];

beforeAll(async () => {
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  await service.close();
});
afterEach(async () => {
  await closeAll();
  asked = [];
});

async function open(pages: Record<string, string>): Promise<string> {
  site = await openSite((request, response) => {
    const agent = request.headers["user-agent"] ?? "";
    asked.push(`${agent.startsWith("Mozilla") ? "browser" : "http"} ${request.url}`);
    const body = pages[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": (request.url ?? "").endsWith(".pdf") ? "application/pdf" : "text/html",
    });
    response.end(body ?? page("<p>not here</p>"));
  });
  return site.base;
}

const mains = (): string[] => asked.filter((line) => !line.endsWith("favicon.ico"));

describe("engine ladder", () => {
  it("uses plain HTTP for a page with text", async () => {
    const base = await open({ "/": page(`<p>${WORDS}</p><script>1</script>`) });
    const { markdown, metadata } = await service.page({ url: `${base}/`, maxAge: 0 });
    expect(markdown).toContain("The tide comes in");
    expect(metadata?.["engine"]).toBe("http");
    expect(mains()).toEqual(["http /"]);
  });

  it("renders an application shell, and the next page of the site at once", async () => {
    const base = await open({ "/app/1": SHELL, "/app/2": SHELL });
    const first = await service.page({ url: `${base}/app/1`, maxAge: 0 });
    expect(first.markdown).toContain("# Made by a script");
    expect(first.warning).toBeUndefined();
    expect(first.metadata?.["engine"]).toBe("browser");
    expect(mains()).toEqual(["http /app/1", "browser /app/1"]);
    asked = [];
    const second = await service.page({ url: `${base}/app/2`, maxAge: 0 });
    expect(second.markdown).toContain("# Made by a script");
    expect(mains()).toEqual(["browser /app/2"]);
  });

  it("still renders application pages of a site where the browser did not improve another page", async () => {
    const blocked = page("<p>Your address is on our list.</p>").replace(
      "A page of the harbour",
      "Access denied",
    );
    const base = await open({ "/blocked": blocked, "/again": blocked, "/app": SHELL });
    await service.page({ url: `${base}/blocked`, maxAge: 0 });
    expect(mains()).toEqual(["http /blocked", "browser /blocked"]);
    asked = [];
    const again = await service.page({ url: `${base}/again`, maxAge: 0 });
    expect(mains()).toEqual(["http /again"]);
    expect(again.warning).toContain("it did not improve such pages");
    const opened = await service.page({ url: `${base}/app`, maxAge: 0 });
    expect(opened.markdown).toContain("# Made by a script");
  });

  it("keeps rendering an application that reported one page as missing", async () => {
    const lost = page(
      '<div id="root"></div><script>document.title = "Page not found"; root.textContent = "No such tide."</script>',
    );
    const base = await open({ "/lost": lost, "/app": SHELL });
    const { warning } = await service.page({ url: `${base}/lost`, maxAge: 0 });
    expect(warning).toContain("says it does not exist");
    const opened = await service.page({ url: `${base}/app`, maxAge: 0 });
    expect(opened.markdown).toContain("# Made by a script");
  });

  it("caches pages that a browser rendered", async () => {
    const base = await open({ "/": SHELL });
    await service.page({ url: `${base}/` });
    const again = await service.page({ url: `${base}/` });
    expect(again.metadata?.cacheState).toBe("hit");
    expect(again.markdown).toContain("# Made by a script");
    expect(mains()).toEqual(["http /", "browser /"]);
  });

  it("starts with the browser for options that only it supports", async () => {
    const base = await open({
      "/": page(
        `<p>${WORDS}</p><p id="late"></p><script>setTimeout(() => { late.textContent = "late words" }, 900)</script>`,
      ),
    });
    const waited = await service.page({ url: `${base}/`, maxAge: 0, waitFor: 1_200 });
    expect(waited.markdown).toContain("late words");
    const shot = await service.page({
      url: `${base}/`,
      maxAge: 0,
      formats: ["screenshot", "markdown"],
    });
    expect(shot.screenshot).toMatch(/^https?:/);
    const phone = await service.page({ url: `${base}/`, maxAge: 0, mobile: true });
    expect(phone.markdown).toContain("The tide");
    expect(phone.metadata.timezone).toBeUndefined();
    const located = await service.page({
      url: `${base}/`,
      maxAge: 0,
      waitFor: 10,
      location: { country: "DE" },
    });
    expect(located.metadata.timezone).toBe("Europe/Berlin");
    const branded = await service.page({ url: `${base}/`, maxAge: 0, formats: ["branding"] });
    expect(branded.branding).toMatchObject({ colors: expect.anything() });
    expect(mains().every((line) => line.startsWith("browser"))).toBe(true);
  });

  it("fetches files over plain HTTP and rejects actions on them", async () => {
    const base = await open({ "/a.pdf": "%PDF-1.4 not much" });
    const file = await service.page({ url: `${base}/a.pdf`, maxAge: 0, waitFor: 10, parsers: [] });
    expect(Buffer.from(String(file.markdown), "base64").toString()).toBe("%PDF-1.4 not much");
    const refused = await service.scrape({
      url: `${base}/a.pdf`,
      actions: [{ type: "wait", milliseconds: 1 }],
    });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("SCRAPE_ACTIONS_NOT_SUPPORTED");
  });

  it("parses a PDF that the browser was redirected to", async () => {
    const pdf = pdfFile([{ lines: [{ x: 72, y: 90, text: "Tides of the year" }] }]);
    const base = await open({ "/a.pdf": pdf.toString("latin1") });
    const { body } = await service.scrape(
      { url: `${base}/a.pdf`, maxAge: 0, waitFor: 10 },
      { headers: { "x-quarry-explain": "1" } },
    );
    expect(body.data?.markdown).toBe("Tides of the year");
    const explanation = body["explanation"] as ScrapeExplanation;
    expect(explanation.attempts[0]).toMatchObject({ engine: "browser" });
    expect(explanation.attempts.at(-1)).toMatchObject({
      engine: "http, then document",
      outcome: "captured",
    });
  });

  it("follows a page that only starts the download of a document", async () => {
    const pdf = pdfFile([{ lines: [{ x: 72, y: 90, text: "Tides of the year" }] }]);
    const leave = "<script>location.href = '/a.pdf'</script>";
    const base = await open({
      "/moment": page(`<p>One moment, please</p>${leave}`),
      "/words": page(`<p>${WORDS}</p>${leave}`),
      "/a.pdf": pdf.toString("latin1"),
    });
    for (const way of [{}, { waitFor: 300 }]) {
      const file = await service.page({ url: `${base}/moment`, maxAge: 0, ...way });
      expect(file.markdown).toBe("Tides of the year");
      expect(file.warning).toBeUndefined();
      expect(file.metadata).toMatchObject({
        sourceURL: `${base}/moment`,
        url: `${base}/a.pdf`,
        numPages: 1,
        creditsUsed: 1,
      });
    }
    const own = await service.page({ url: `${base}/words`, maxAge: 0, waitFor: 300 });
    expect(own.markdown).toContain("The tide comes in");
    expect(own.warning).toContain(`started the download of ${base}/a.pdf`);
  });

  it("explains which engine was tried and why", async () => {
    const base = await open({ "/": SHELL });
    const { body } = await service.ask("/v2/capabilities");
    expect(body["actions"]).toMatchObject({ click: { available: true } });
    expect(body["options"]).toMatchObject({
      waitFor: { available: true },
      mobile: { available: true },
    });
    const { text } = await service.scrape({ url: `${base}/`, maxAge: 0 });
    expect(text).toContain("Made by a script");
  });

  it("names the browser in the explanation of a cached page", async () => {
    const base = await open({ "/kept": SHELL });
    const explain = async (): Promise<unknown> => {
      const request = { url: `${base}/kept`, maxAge: 60_000 };
      const { body } = await service.scrape(request, { headers: { "x-quarry-explain": "1" } });
      return body["explanation"];
    };
    expect(await explain()).toMatchObject({ cache: "miss" });
    const renderedBy: unknown = expect.stringMatching(/^Chromium \d+/);
    expect(await explain()).toMatchObject({ cache: "hit", renderedBy });
  });
});

describe("server with all browser pages in use", () => {
  it("answers plain pages while others wait for a browser, and reports a wait that took too long", async () => {
    const small = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      browserPages: 1,
      maxConcurrency: 3,
    });
    try {
      const arrived = Promise.withResolvers<undefined>();
      const site = await openSite((request, response) => {
        response.setHeader("content-type", "text/html");
        if (request.url === "/slow") return arrived.resolve(undefined); // never answers
        response.end(page(`<p>${WORDS}</p>`));
      });
      const slow = small.scrape({
        url: `${site.base}/slow`,
        mobile: true,
        timeout: 10_000,
        proxy: "basic",
      });
      // The only browser page is in use from here on.
      await arrived.promise;
      const waiting = [1, 2, 3].map((number) =>
        small.scrape({
          url: `${site.base}/?${number}`,
          mobile: true,
          timeout: 3_000,
          proxy: "basic",
        }),
      );
      const plain = await Promise.all(
        [4, 5, 6].map((number) => small.scrape({ url: `${site.base}/?${number}` })),
      );
      expect(plain.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const { status, body } of await Promise.all(waiting)) {
        expect(status).toBe(408);
        expect(body.code).toBe("CONCURRENCY_QUEUE_TIMEOUT");
      }
      expect((await slow).body.code).toBe("SCRAPE_TIMEOUT");
    } finally {
      await small.close();
    }
  });
});
