// Starting what failed in a job again, and reading the request of a job, over HTTP and through the client.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConflictError } from "../../../client/errors.ts";
import type { ListedJob } from "../../../client/wire.ts";
import { closeCrawls, openCrawls, page, serve, service, type Answer } from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

const hangUp: Answer = (request) => void request.socket.destroy();

/** Fails until it is mended. */
function breakable(title: string): { answer: Answer; mend: () => void } {
  let isBroken = true;
  return {
    answer: (request, response) => (isBroken ? hangUp : page(title))(request, response),
    mend: () => void (isBroken = false),
  };
}

const titlesOf = async (path: string): Promise<unknown[]> => {
  const titles: unknown[] = [];
  for await (const { metadata } of service.client
    .batchJob(path.slice("/v2/batch/scrape/".length))
    .documents())
    titles.push(metadata.title);
  return titles.toSorted((one, other) => String(one).localeCompare(String(other)));
};

describe.skipIf(isRemote)("retrying a job", () => {
  it("scrapes only the failed pages of a crawl again, with its options, as a batch", async () => {
    const one = breakable("one");
    const start = serve({
      "/": page("start", ["one", "two"]),
      "/one": one.answer,
      "/two": page("two"),
    });
    const crawl = await service.client.crawl(`${start}/`, {
      sitemap: "skip",
      scrapeOptions: { formats: ["links"], timeout: 5_000 },
    });
    const { sums } = await service.client.crawlJob(String(crawl.id)).ledger();
    expect(sums).toMatchObject({ fetched: 2, error: 1 });
    one.mend();
    const retried = await service.client.retryJob({ path: `/v2/crawl/${crawl.id}` });
    expect(retried).toMatchObject({ kind: "batch", urls: 1 });
    const [document] = (await service.client.batchJob(retried.id).status()).data;
    expect(document?.metadata).toMatchObject({ title: "one" });
    expect(document?.links).toBeDefined();
    expect(document?.markdown).toBeUndefined();
    expect(await titlesOf(retried.path)).toEqual(["one"]);
  });

  it("scrapes the failed URLs of a batch again, and refuses when none failed", async () => {
    const broken = breakable("mended");
    const start = serve({ "/a": page("a"), "/b": broken.answer });
    const { job } = await service.client.startBatch([`${start}/a`, `${start}/b`], {
      timeout: 5_000,
    });
    await job.wait();
    broken.mend();
    const path = `/v2/batch/scrape/${job.id}`;
    const retried = await service.client.retryJob({ path });
    expect(await titlesOf(retried.path)).toEqual(["mended"]);
    await expect(service.client.retryJob(retried)).rejects.toThrow(ConflictError);
  });

  it("starts a crawl without a page again as a crawl", async () => {
    const home = breakable("home");
    const start = serve({ "/": home.answer, "/more": page("more") });
    const crawl = await service.client.crawl(`${start}/`, {
      sitemap: "skip",
      scrapeOptions: { timeout: 5_000 },
    });
    expect(crawl.documents).toEqual([]);
    home.mend();
    const retried = await service.client.retryJob({ path: `/v2/crawl/${crawl.id}` });
    expect(retried).toMatchObject({ kind: "crawl", path: `/v2/crawl/${retried.id}` });
    expect(await service.client.crawlJob(retried.id).wait()).toMatchObject({ completed: 1 });
  });

  it("refuses a running job", async () => {
    const start = serve({ "/": () => undefined });
    const job = await service.client.startCrawl(`${start}/`, { sitemap: "skip" });
    await expect(service.client.retryJob({ path: `/v2/crawl/${job.id}` })).rejects.toThrow(
      "The crawl is still running; retry it after its end.",
    );
    await job.cancel();
  });

  it("asks for the headers of the job, whose values are not kept, and sends those given", async () => {
    const seen: unknown[] = [];
    const broken = breakable("a");
    const start = serve({
      "/a": (request, response) => {
        seen.push(request.headers.cookie);
        broken.answer(request, response);
      },
    });
    const { job } = await service.client.startBatch([`${start}/a`], {
      headers: { Cookie: "session=secret" },
      timeout: 5_000,
    });
    await job.wait();
    const path = `/v2/batch/scrape/${job.id}`;
    const refused = await service.ask(`${path}/retry`, { method: "POST" });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      "The batch sent the headers Cookie. Their values are not kept after its end: give them again in headers.",
    ]);
    const before = seen.length;
    broken.mend();
    const retried = await service.client.retryJob({ path }, { headers: { Cookie: "session=new" } });
    await service.client.batchJob(retried.id).wait();
    expect(seen.slice(before)).toContain("session=new");
    expect(seen.slice(before)).not.toContain("session=secret");
  });

  it("asks for the login of a crawl's URL, which is not kept", async () => {
    const start = serve({ "/": hangUp });
    const job = await service.client.startCrawl(`${start}/`.replace("://", "://name:word@"), {
      sitemap: "skip",
      scrapeOptions: { timeout: 5_000 },
    });
    await job.wait();
    await expect(service.client.retryJob({ path: `/v2/crawl/${job.id}` })).rejects.toThrow(
      "The crawl sent the headers Authorization. Their values are not kept after its end: give them again in headers.",
    );
  });

  it("starts failed extractions and agent runs again, and refuses completed ones", async () => {
    const start = serve({ "/": page("start"), "/gone": hangUp });
    const ended = async (id: string): Promise<ListedJob> => {
      for (;;) {
        const { jobs } = await service.client.listJobs();
        const found = jobs.find((job) => job.id === id);
        if (found !== undefined && found.state !== "running") return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const run = async (path: string, body: object): Promise<ListedJob> =>
      await ended(String((await service.ask(path, { method: "POST", body }))?.body["id"]));
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const extract = { urls: [`${start}/gone`], prompt: "the title", schema };
    for (const failed of [
      await run("/v2/extract", extract),
      await run("/v2/agent", { urls: [`${start}/gone`], prompt: "the title", schema }),
    ]) {
      expect([failed.kind, failed.state]).toEqual([failed.kind, "failed"]);
      const retried = await service.client.retryJob(failed);
      expect(retried).toMatchObject({ kind: failed.kind });
      expect(retried.id).not.toBe(failed.id);
      expect((await ended(retried.id)).prompt).toBe(failed.prompt);
    }
    const completed = await run("/v2/extract", { ...extract, urls: [`${start}/`] });
    expect(completed.state).toBe("completed");
    await expect(service.client.retryJob(completed)).rejects.toThrow("did not fail");
  }, 60_000);
});

describe.skipIf(isRemote)("the request of a job", () => {
  const SECRETS = ["session=secret", "hook-secret-of-16", "Bearer hook", "name:word"];
  const HOOK = { headers: { "x-hook": "Bearer hook" }, secret: "hook-secret-of-16" };

  async function readRequest(path: string) {
    const read = await service.client.jobRequest({ path });
    for (const secret of SECRETS) expect(JSON.stringify(read)).not.toContain(secret);
    // What is returned is a valid body.
    const { webhook: _, ...body } = read.request;
    const again = await service.ask(read.path, { method: "POST", body });
    expect([again.status, again.text]).toEqual([200, again.text]);
    return read;
  }

  it("returns the options of a running and of an ended crawl, and names its secrets", async () => {
    const start = serve({ "/": page("start"), "/hook": page("hook") });
    const job = await service.client.startCrawl(`${start}/`, {
      limit: 3,
      sitemap: "skip",
      excludePaths: ["/private"],
      scrapeOptions: { formats: ["links"], headers: { Cookie: "session=secret" } },
      webhook: {
        url: `${start}/hook`,
        ...HOOK,
        metadata: { token: "session=secret" },
        events: ["completed"],
      },
    });
    const path = `/v2/crawl/${job.id}`;
    const running = await readRequest(path);
    await job.wait();
    const { request, omitted, kind, createdAt } = await readRequest(path);
    expect(running.request).toEqual(request);
    expect(kind).toBe("crawl");
    expect(createdAt).toMatch(/^20/);
    expect(request).toMatchObject({
      url: `${start}/`,
      limit: 3,
      excludePaths: ["/private"],
      scrapeOptions: { formats: [{ type: "links" }], onlyMainContent: true },
      webhook: { events: ["completed"] },
    });
    for (const derived of ["timeout", "skipTlsVerification", "storeInCache", "headers"])
      expect(request["scrapeOptions"]).not.toHaveProperty(derived);
    expect(omitted).toEqual([
      "scrapeOptions.headers.Cookie",
      "webhook.url",
      "webhook.headers.x-hook",
      "webhook.metadata.token",
      "webhook.secret",
    ]);
  });

  it("names the login of a crawl's URL instead of the header that it became", async () => {
    const start = serve({ "/": page("start") });
    const job = await service.client.startCrawl(`${start}/`.replace("://", "://name:word@"), {
      sitemap: "skip",
    });
    await job.wait();
    const { request, omitted } = await readRequest(`/v2/crawl/${job.id}`);
    expect(request).toMatchObject({ url: `${start}/` });
    expect(request["scrapeOptions"]).not.toHaveProperty("storeInCache");
    expect(omitted).toEqual(["url.login"]);
  });

  it("leaves out typed text and scripts of actions", async () => {
    const start = serve({ "/": page("start") });
    const actions = [
      { type: "write" as const, text: "session=secret" },
      { type: "executeJavascript" as const, script: "log('session=secret')" },
    ];
    const job = await service.client.startCrawl(`${start}/`, {
      sitemap: "skip",
      scrapeOptions: { actions },
    });
    const read = await service.client.jobRequest({ path: `/v2/crawl/${job.id}` });
    expect(JSON.stringify(read)).not.toContain("session=secret");
    expect(read.request["scrapeOptions"]).toMatchObject({
      actions: [{ type: "write" }, { type: "executeJavascript" }],
    });
    expect(read.omitted).toEqual([
      "scrapeOptions.actions.0.text",
      "scrapeOptions.actions.1.script",
    ]);
    const active = await service.ask("/v2/crawl/active");
    expect(active.text).toContain(job.id);
    expect(active.text).not.toContain("session=secret");
    await job.cancel();
  });

  it("names the login of a URL that was added to a batch later", async () => {
    const start = serve({ "/a": () => undefined, "/b": page("b") });
    const { job } = await service.client.startBatch([`${start}/a`], { timeout: 5_000 });
    const path = `/v2/batch/scrape/${job.id}`;
    expect((await readRequest(path)).omitted).toEqual([]);
    const urls = [`${start}/b`.replace("://", "://name:word@")];
    const added = await service.ask("/v2/batch/scrape", {
      method: "POST",
      body: { urls, appendToId: job.id },
    });
    expect([added.status, added.text]).toEqual([200, added.text]);
    const { request, omitted } = await readRequest(path);
    expect(request["urls"]).toEqual([`${start}/a`, `${start}/b`]);
    expect(omitted).toEqual(["urls.login"]);
    await job.cancel();
  });

  it("returns the URLs of a batch in their order, without their logins", async () => {
    const start = serve({ "/a": page("a"), "/b": page("b") });
    const withLogin = `${start}/b`.replace("://", "://name:word@");
    const { job } = await service.client.startBatch([`${start}/a`, withLogin, `${start}/a`], {
      timeout: 5_000,
      webhook: `${start}/hook?token=hook-secret-of-16`,
    });
    await job.wait();
    const { request, omitted } = await readRequest(`/v2/batch/scrape/${job.id}`);
    expect(request).toMatchObject({
      urls: [`${start}/a`, `${start}/b`, `${start}/a`],
      timeout: 5_000,
    });
    expect(request["webhook"]).not.toHaveProperty("url");
    expect(omitted).toEqual(["urls.login", "webhook.url"]);
  });

  it("returns the requests of extractions and agent runs", async () => {
    const start = serve({ "/": page("start") });
    const urls = [`${start}/`.replace("://", "://name:word@")];
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const scrapeOptions = { headers: { Cookie: "session=secret" } };
    const run = async (path: string, body: object): Promise<string> =>
      `${path}/${String((await service.ask(path, { method: "POST", body })).body["id"])}`;
    const extract = await readRequest(
      await run("/v2/extract", { urls, prompt: "the title", schema, scrapeOptions }),
    );
    expect(extract.request).toMatchObject({ urls: [`${start}/`], prompt: "the title", schema });
    expect(extract.omitted).toEqual(["urls.login", "scrapeOptions.headers.Cookie"]);
    const agent = await readRequest(
      await run("/v2/agent", { urls, prompt: "the title", schema, effort: "low" }),
    );
    expect(agent.request).toMatchObject({ urls: [`${start}/`], prompt: "the title", schema });
    expect(agent.request["effort"]).toBe("low");
    for (const name of ["threadId", "limits", "keyName", "history"])
      expect(agent.request).not.toHaveProperty(name);
    expect(agent.omitted).toEqual(["urls.login"]);
    // Answers about a run and lists of runs and jobs have its URLs, too.
    const id = String(agent.id);
    const { body } = await service.ask(`/v2/agent/${id}`);
    expect(body["urls"]).toEqual([`${start}/`]);
    for (const path of [`/v2/agent/${id}`, `/v2/extract/${String(extract.id)}`])
      await expect
        .poll(async () => (await service.ask(path)).body["status"], { timeout: 20_000 })
        .not.toBe("processing");
    for (const path of [
      `/v2/agent/${id}`,
      `/v2/agent/${id}/trace`,
      `/v2/agent/${id}/snapshots/step-0`,
      `/v2/extract/${String(extract.id)}?showSources=true`,
      "/v2/agent",
      `/v2/agent/threads/${String(body["threadId"])}`,
      "/v2/jobs",
      "/v2/team/activity",
    ]) {
      const { status, text } = await service.ask(path);
      expect(status, path).toBe(200);
      expect(text, path).not.toContain("name:word");
    }
  });

  it("returns maxCredits of an agent run as requested when credits cover less", async () => {
    const start = serve({ "/": page("start") });
    const { key } = await service.createKey({ creditBudget: 40 });
    const body = { urls: [`${start}/`], prompt: "the title", maxCredits: 2_500 };
    const run = await service.ask("/v2/agent", { method: "POST", body, key });
    const path = `/v2/agent/${String(run.body["id"])}`;
    expect((await service.ask(path, { key })).body["maxCredits"]).toBe(40);
    const read = await service.ask(`${path}/request`, { key });
    expect(read.body["request"]).toMatchObject({ maxCredits: 2_500 });
    expect(read.body["request"]).not.toHaveProperty("requestedCredits");
  });

  it("returns 404 for the request of another kind, an unknown job and one with zero data retention", async () => {
    const start = serve({ "/": page("start") });
    const hidden = await service.client.startCrawl(`${start}/`, {
      sitemap: "skip",
      zeroDataRetention: true,
    });
    const open = await service.client.startCrawl(`${start}/`, { sitemap: "skip" });
    for (const [path, message] of [
      [`/v2/crawl/${hidden.id}`, "The request of a job with zero data retention is not returned."],
      [`/v2/batch/scrape/${open.id}`, "Job not found"],
      [`/v2/crawl/${crypto.randomUUID()}`, "Job not found"],
    ] as const) {
      const { status, body } = await service.ask(`${path}/request`);
      expect([status, body.error], path).toEqual([404, message]);
    }
  });
});
