// Keys that are limited to hosts: what they fetch, and which stored pages they read.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, siteHosts, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  service = await startService(site, {
    egressAllow: siteHosts(site).flatMap((host) => [host, host.replace("127.0.0.1", "localhost")]),
  });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await site.close();
});

const make = async (path: string, body: object): Promise<{ id: string; key: string }> => {
  const { body: answer, text } = await service.admin("POST", path, body);
  expect(answer.success, text).toBe(true);
  return answer.data as unknown as { id: string; key: string };
};

describe.skipIf(isRemote)("hosts of a key", () => {
  const here = (path: string): string => `${site.url}${path}`;
  const there = (path: string): string => here(path).replace("127.0.0.1", "localhost");

  it("every fetching endpoint fetches only the hosts of the key", async () => {
    const { key } = await make("/admin/keys", { name: "fenced", allowHosts: ["localhost"] });
    const bodies: Record<string, object> = {
      "/v2/scrape": { url: here("/tiny") },
      "/v1/scrape": { url: here("/tiny") },
      "/v2/map": { url: here("/tiny") },
      "/v2/crawl": { url: here("/tiny") },
      "/v2/batch/scrape": { urls: [there("/tiny"), here("/tiny")] },
      "/v2/extract": { urls: [`${here("/")}*`], prompt: "the title" },
      "/v2/agent": { urls: [here("/tiny")], prompt: "the title" },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, body: answer } = await service.ask(path, { method: "POST", key, body });
      expect([status, answer.code], path).toEqual([403, "FORBIDDEN"]);
      expect(answer.error).toBe(
        'The key "fenced" is not allowed to fetch from 127.0.0.1. Allowed hosts: localhost.',
      );
    }
  });

  it("does not follow a redirect to a host outside the key's hosts", async () => {
    const { key } = await make("/admin/keys", {
      name: "fenced from redirects",
      allowHosts: ["127.0.0.1"],
    });
    const before = site.requests.length;
    const url = here(`/redirect/to?url=${encodeURIComponent(there("/tiny?away"))}`);
    const { status, body } = await service.scrape({ url, maxAge: 0 }, { key });
    expect([status, body.error]).toEqual([
      403,
      'The key "fenced from redirects" is not allowed to fetch from localhost. Allowed hosts: 127.0.0.1.',
    ]);
    expect(site.requests.slice(before).map(({ url: path }) => path)).not.toContain("/tiny?away");
    expect((await service.scrape({ url: here("/tiny") }, { key })).status).toBe(200);
  });

  it("reads stored scrapes of its hosts only", async () => {
    const { key } = await make("/admin/keys", { name: "fenced reader", allowHosts: ["localhost"] });
    const readBack = async (url: string): Promise<unknown[]> => {
      const { metadata } = await service.page({ url });
      const id = String(metadata["scrapeId"]);
      const document = await service.ask(`/v2/scrape/${id}`, { key });
      const request = await service.ask(`/v2/scrape/${id}/request`, { key });
      return [document, request].map(({ status, body }) => [status, body.error]);
    };
    expect(await readBack(there("/tiny"))).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const refused =
      'The key "fenced reader" is not allowed to read pages of 127.0.0.1. Allowed hosts: localhost.';
    expect(await readBack(here("/tiny"))).toEqual([
      [403, refused],
      [403, refused],
    ]);
    // A redirect of an unlimited key left the hosts.
    expect(
      await readBack(there(`/redirect/to?url=${encodeURIComponent(here("/tiny"))}`)),
    ).toMatchObject([
      [403, refused],
      [403, refused],
    ]);
  });

  it("reads its own uploaded file by the id of the scrape", async () => {
    const { key } = await make("/admin/keys", { name: "fenced files", allowHosts: ["localhost"] });
    const form = new FormData();
    form.set("file", new Blob(["<p>Words of the file.</p>"]), "a.html");
    const parsed = await fetch(`${service.url}/v2/parse`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const { data } = (await parsed.json()) as { data: { metadata: { scrapeId: string } } };
    for (const part of ["", "/request"]) {
      const read = await service.ask(`/v2/scrape/${data.metadata.scrapeId}${part}`, { key });
      expect(read.status, read.text).toBe(200);
    }
  });

  it("reads jobs and monitors of keys whose hosts it has, and no others", async () => {
    const fenced = await make("/admin/keys", { name: "fenced jobs", allowHosts: ["localhost"] });
    const twin = await make("/admin/keys", {
      name: "twin",
      allowHosts: ["localhost", "*.example.org"],
    });
    const start = async (path: string, body: object, key?: string): Promise<string> => {
      const answer = await service.ask(path, { method: "POST", body, ...(key && { key }) });
      expect(answer.status, answer.text).toBe(200);
      const { id, data } = answer.body as { id?: string; data?: { id?: string } };
      return id ?? data?.id ?? "";
    };
    const batch = { urls: [there("/tiny")] };
    const monitor = {
      name: "m",
      schedule: { text: "daily at 9:30" },
      targets: [{ type: "scrape", urls: [there("/tiny")] }],
    };
    const free = [
      `/v2/batch/scrape/${await start("/v2/batch/scrape", batch)}`,
      `/v2/crawl/${await start("/v2/crawl", { url: there("/tiny"), limit: 1 })}`,
      `/v2/monitor/${await start("/v2/monitor", monitor)}`,
    ];
    const own = [
      `/v2/batch/scrape/${await start("/v2/batch/scrape", batch, fenced.key)}`,
      `/v2/monitor/${await start("/v2/monitor", monitor, fenced.key)}`,
    ];
    const parts = ["", "/errors", "/ledger", "/feed", "/sitemap.xml", "/webhooks", "/request"];
    const reads = [
      ...free.slice(0, 2).flatMap((path) => parts.map((part) => `${path}${part}`)),
      free[2] ?? "",
      `${free[2]}/checks`,
    ];
    for (const path of reads) {
      const { status, body } = await service.ask(path, { key: fenced.key });
      expect([status, body.error], path).toEqual([
        403,
        expect.stringMatching(
          /^The key "fenced jobs" is not allowed to use this (?:job|monitor), /,
        ),
      ]);
    }
    const deleted = await service.ask(free[0] ?? "", { method: "DELETE", key: fenced.key });
    expect(deleted.status).toBe(403);
    for (const path of own)
      for (const key of [fenced.key, twin.key])
        expect((await service.ask(path, { key })).status, path).toBe(200);
    const listed = await service.ask("/v2/monitor", { key: fenced.key });
    const ids = (listed.body.data as unknown as { id: string }[]).map(({ id }) => id);
    expect(ids.map((id) => `/v2/monitor/${id}`)).toEqual([own[1]]);
    const second = `/v2/monitor/${await start("/v2/monitor", monitor, fenced.key)}`;
    const pages: string[][] = [];
    for (let cursor: unknown = ""; typeof cursor === "string";) {
      const query = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await service.ask(`/v2/monitor?limit=1${query}`, { key: fenced.key });
      expect(page.status, page.text).toBe(200);
      const rows = page.body.data as unknown as { id: string }[];
      pages.push(rows.map(({ id }) => `/v2/monitor/${id}`));
      ({ cursor } = page.body as { cursor?: unknown });
    }
    expect(pages).toEqual([[second], [own[1]]]);
  });

  it("reads the page histories of its hosts only", async () => {
    const { key } = await make("/admin/keys", { name: "fenced past", allowHosts: ["localhost"] });
    for (const url of [here("/tiny"), there("/tiny")])
      await service.page({ url, formats: ["markdown", "changeTracking"], maxAge: 0 });
    type Listed = { readonly id: string; readonly url: string };
    const list = async (caller?: string): Promise<readonly Listed[]> => {
      const { body } = await service.ask(
        "/v2/changes",
        caller === undefined ? {} : { key: caller },
      );
      return (body as unknown as { histories: Listed[] }).histories;
    };
    expect((await list(key)).map(({ url }) => url)).toEqual([there("/tiny")]);
    const all = await list();
    const read = async (url: string, rest = ""): Promise<unknown[]> => {
      const id = all.find((history) => history.url === url)?.id;
      const { status, body } = await service.ask(`/v2/changes/${id}${rest}`, { key });
      return [status, body.error];
    };
    expect(await read(there("/tiny"))).toEqual([200, undefined]);
    for (const rest of ["", "/diff", "/versions/00000000-0000-7000-8000-000000000000"])
      expect(await read(here("/tiny"), rest)).toEqual([
        403,
        'The key "fenced past" is not allowed to read pages of 127.0.0.1. Allowed hosts: localhost.',
      ]);
  });

  it("restricts a browser session to the key's hosts, including redirects and new windows", async () => {
    const { key } = await make("/admin/keys", {
      name: "fenced session",
      allowHosts: ["127.0.0.1"],
    });
    const opened = await service.ask("/v2/browser", { method: "POST", key, body: {} });
    const path = `/v2/browser/${String(opened.body["id"])}`;
    const run = async (code: string): Promise<unknown> =>
      (await service.ask(`${path}/execute`, { method: "POST", key, body: { code } })).body[
        "result"
      ];
    const before = site.requests.length;
    const redirect = here(`/redirect/to?url=${encodeURIComponent(there("/tiny?away"))}`);
    for (const url of [there("/tiny?away"), redirect])
      expect(
        await run(`try { await page.goto("${url}"); return "went" } catch { return "refused" }`),
      ).toBe("refused");
    expect(await run(`await page.goto("${here("/tiny?here")}"); return page.url()`)).toBe(
      here("/tiny?here"),
    );
    await run(`await page.evaluate("void window.open('${there("/tiny?away")}')")`);
    const framed = `new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.onload = frame.onerror = () => done(1);
      setTimeout(done, 2_000);
      frame.src = "${there("/tiny?away")}";
      document.body.append(frame);
    })`;
    await run(`await page.evaluate(${JSON.stringify(framed)})`);
    await service.ask(path, { method: "DELETE", key });
    const asked = site.requests.slice(before).map(({ url }) => url);
    expect(asked).toContain("/tiny?here");
    expect(asked).not.toContain("/tiny?away");
  }, 60_000);

  it("a key limited to hosts neither sees nor uses the browser sessions of other keys", async () => {
    const free = await make("/admin/keys", { name: "free session" });
    const { key } = await make("/admin/keys", {
      name: "fenced guest",
      allowHosts: ["127.0.0.1"],
    });
    const opened = await service.ask("/v2/browser", { method: "POST", key: free.key, body: {} });
    const path = `/v2/browser/${String(opened.body["id"])}`;
    const execute = async (caller: string) =>
      await service.ask(`${path}/execute`, {
        method: "POST",
        key: caller,
        body: { code: "return 1" },
      });
    expect(await execute(key)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", error: expect.stringContaining("opened itself") as string },
    });
    const listed = await service.ask("/v2/browser", { key });
    expect(JSON.stringify(listed.body)).not.toContain(String(opened.body["id"]));
    expect((await execute(free.key)).status).toBe(200);
    await service.ask(path, { method: "DELETE", key: free.key });
  }, 60_000);

  it("searches of a key limited to hosts give no indexed text of other hosts", async () => {
    const { id } = await make("/admin/accounts", { name: "searchers" });
    const wide = await make("/admin/keys", { name: "wide", account: id });
    const narrow = await make("/admin/keys", {
      name: "narrow",
      account: id,
      allowHosts: ["127.0.0.1"],
    });
    const none = await make("/admin/keys", {
      name: "below only",
      account: id,
      allowHosts: ["*.localhost", "example.com"],
    });
    for (const url of [here("/tiny?ours"), there("/article?theirs")])
      expect((await service.scrape({ url }, { key: wide.key })).status).toBe(200);
    const find = async (key: string, query: string): Promise<string[]> => {
      const { body } = await service.ask("/v2/search", { method: "POST", key, body: { query } });
      const { web = [] } = body.data as unknown as { web?: { url: string }[] };
      return web.map(({ url }) => url);
    };
    const words = "article";
    expect(await find(wide.key, words)).toContain(there("/article?theirs"));
    expect(await find(narrow.key, words)).not.toContain(there("/article?theirs"));
    expect(await find(narrow.key, `site:127.0.0.1`)).toEqual([here("/tiny?ours")]);
    expect(await find(none.key, `site:localhost`)).toEqual([]);
  });

  it("rejects invalid host names when a key is created", async () => {
    const answer = await service.admin("POST", "/admin/keys", {
      name: "x",
      allowHosts: ["https://example.com/"],
    });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("example.com or *"),
    ]);
  });
});
