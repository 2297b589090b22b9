// Monitors over HTTP and through the published client: create, run, read, notify.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Monitor,
  MonitorCheck,
  MonitorPage,
} from "../../../src/contract/jobs/monitor-report.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Ask, type Service } from "../../service.ts";

type Page = (response: ServerResponse) => void;
type Received = { readonly request: IncomingMessage; readonly body: string };

let base: string;
let service: Service;
let published: Firecrawl;
let receiver: string;
let closeReceiver: () => void;
const received: Received[] = [];
const pages = new Map<string, Page>();
let places = 0;

beforeAll(async () => {
  ({ base } = await openSite((request, response) => {
    const page = pages.get(request.url ?? "/");
    if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end(MISSING);
    else page(response);
  }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ request, body: Buffer.concat(chunks).toString("utf8") });
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeReceiver = () => void server.close();
  service = await startService(undefined, {
    egressAllow: [new URL(base).host, new URL(receiver).host],
  });
  published = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
});
afterAll(async () => {
  await service.close();
  closeReceiver();
  await closeAll();
});

const MISSING = "<title>Not found</title><h1>Not found</h1>";
const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

const page =
  (lines: readonly string[], status = 200): Page =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
    const body = lines.map((line) => `<p>${line}</p>`).join("\n");
    response.end(`<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p>${body}</main>`);
  };

function openPage(...lines: readonly string[]) {
  const path = `/page${(places += 1)}`;
  pages.set(path, page(lines));
  return {
    url: `${base}${path}`,
    edit: (...next: readonly string[]) => void pages.set(path, page(next)),
    answer: (next: Page) => void pages.set(path, next),
    remove: () => void pages.delete(path),
  };
}

const SOON = { detection: { confirmations: 1, confirmAfterSeconds: 0 } };

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await service.ask(path, {
    method,
    ...(body !== undefined && { body }),
  } satisfies Ask);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
  return (answer.body as unknown as { data: T }).data;
}

const create = (url: string, fields: object = {}): Promise<Monitor> =>
  ask("POST", "/v2/monitor", {
    name: "harbour",
    schedule: { text: "daily at 9:30", timezone: "Europe/Berlin" },
    targets: [{ type: "scrape", urls: [url] }],
    ...SOON,
    ...fields,
  });

type WholeCheck = MonitorCheck & { readonly pages: readonly MonitorPage[] };

/** Runs a check and waits for its end. */
async function check(id: string): Promise<WholeCheck> {
  const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  for (;;) {
    const found = await ask<WholeCheck>("GET", `/v2/monitor/${id}/checks/${started.id}`);
    if (found.status !== "queued" && found.status !== "running") return found;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}

const waitFor = async (count: number, matches: (one: Received) => boolean): Promise<Received[]> => {
  const end = Date.now() + 10_000;
  for (;;) {
    const found = received.filter(matches);
    if (found.length >= count || Date.now() > end) return found;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
};

describe.skipIf(isRemote)("monitors", () => {
  it("the published client creates, lists, reads, changes, runs and deletes a monitor", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const made = await published.createMonitor({
      name: "published",
      schedule: { text: "every 30 minutes" },
      targets: [{ type: "scrape", urls: [harbour.url] }],
    });
    expect(made).toMatchObject({ name: "published", status: "active", retentionDays: 30 });
    expect(made.schedule.cron).toMatch(/^\d+,\d+ \* \* \* \*$/);
    expect(made.targets[0]?.id).toBeTypeOf("string");
    expect(made.estimatedCreditsPerMonth).toBe(1_440);
    expect((await published.listMonitors({ limit: 5 })).map(({ id }) => id)).toContain(made.id);
    const changed = await published.updateMonitor(made.id, { status: "paused", goal: null });
    expect(changed).toMatchObject({ status: "paused", nextRunAt: null, goal: null });
    expect(await published.getMonitor(made.id)).toMatchObject({ status: "paused" });
    await published.updateMonitor(made.id, { status: "active" });
    await ask("PATCH", `/v2/monitor/${made.id}`, SOON);
    const run = await published.runMonitor(made.id);
    expect(run).toMatchObject({ monitorId: made.id, trigger: "manual" });
    let found = await published.getMonitorCheck(made.id, run.id);
    while (found.status === "queued" || found.status === "running")
      found = await published.getMonitorCheck(made.id, run.id);
    expect(found).toMatchObject({ status: "completed", summary: { totalPages: 1, new: 1 } });
    expect(found.pages).toMatchObject([{ url: harbour.url, status: "new", statusCode: 200 }]);
    const checks = await published.listMonitorChecks(made.id, { limit: 5 });
    expect(checks.map(({ id }) => id)).toEqual([run.id]);
    expect(await published.deleteMonitor(made.id)).toBe(true);
    await expect(published.getMonitor(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it("reports a confirmed edit with its diff, and nothing when the page stays the same", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const { id } = await create(harbour.url);
    expect(await check(id)).toMatchObject({ status: "completed", pages: [{ status: "new" }] });
    expect(await check(id)).toMatchObject({ summary: { same: 1 }, pages: [{ diff: null }] });
    harbour.edit("Closed until further notice.");
    const [changed] = (await check(id)).pages;
    expect(changed).toMatchObject({ status: "changed", judgment: null });
    expect(changed?.diff?.text).toContain("-Open daily from 9 to 17.");
    expect(changed?.diff?.text).toContain("+Closed until further notice.");
    expect(changed?.previousScrapeId).toBeTypeOf("string");
    expect((await service.ask(`/v2/scrape/${changed?.currentScrapeId}`)).status).toBe(200);
    expect(await check(id)).toMatchObject({ pages: [{ status: "same" }] });
    const all = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks?status=completed`);
    expect(all).toHaveLength(4);
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({
      currentCheckId: null,
      lastCheckSummary: { same: 1, totalPages: 1 },
    });
  });

  it("reports an outage as broken once, then the recovery, and never as a change", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const { id } = await create(harbour.url, {
      detection: { ...SOON.detection, brokenAfter: 2 },
      channels: [{ type: "webhook", id: "hook", url: `${receiver}/broken` }],
    });
    await check(id);
    harbour.answer(page(["Internal error"], 500));
    for (const failedChecks of [1, 2, 3]) {
      const found = await check(id);
      expect(found).toMatchObject({ status: "failed", pages: [{ status: "error", diff: null }] });
      expect(found.pages[0]?.metadata).toMatchObject({ failedChecks });
    }
    harbour.edit("Open daily from 9 to 17.");
    expect(await check(id)).toMatchObject({ pages: [{ status: "same" }] });
    const sent = await waitFor(2, ({ request }) => request.url === "/broken");
    const events = sent.map(
      ({ body }) => (JSON.parse(body) as { data: [{ event: string }] }).data[0].event,
    );
    expect(events).toEqual(["broken", "recovered"]);
  });

  it("reports a page that is gone once as removed", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const { id } = await create(harbour.url);
    await check(id);
    harbour.remove();
    expect(await check(id)).toMatchObject({ status: "completed", pages: [{ status: "removed" }] });
    expect(await check(id)).toMatchObject({ pages: [{ status: "same" }] });
  });

  it("answers 409 while a check runs, and 404 for unknown monitors", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const slow = Promise.withResolvers<void>();
    harbour.answer((response) => void slow.promise.then(() => page(["late"])(response)));
    const { id } = await create(harbour.url);
    const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({ currentCheckId: started.id });
    const second = await service.ask(`/v2/monitor/${id}/run`, { method: "POST", body: {} });
    expect(second).toMatchObject({
      status: 409,
      body: { success: false, error: "A check of this monitor is running." },
    });
    slow.resolve();
    const unknown = "0199f0c0-0000-7000-8000-00000000abcd";
    for (const path of [unknown, `${unknown}/checks`, `${id}/checks/${unknown}`])
      expect((await service.ask(`/v2/monitor/${path}`)).status, path).toBe(404);
  });

  it("sends signed webhook events for the pages, then for the check", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const { id } = await create(harbour.url, {
      webhook: { url: `${receiver}/events`, headers: { "x-team": "blue" }, metadata: { m: 1 } },
    });
    await check(id);
    harbour.edit("Closed until further notice.");
    const { id: checkId } = await check(id);
    const sent = (await waitFor(4, ({ request }) => request.url === "/events")).slice(2);
    const events = sent.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(events).toMatchObject([
      {
        type: "monitor.page",
        id: checkId,
        success: true,
        metadata: { m: 1 },
        data: [{ monitorId: id, checkId, url: harbour.url, status: "changed", isMeaningful: true }],
      },
      {
        type: "monitor.check.completed",
        data: { id: checkId, status: "completed", summary: { changed: 1 } },
      },
    ]);
    const { body } = await service.admin("GET", "/admin/accounts/default/webhook-secret");
    const secret = String(
      (body as { secret?: string }).secret ??
        (body.data as { secret?: string } | undefined)?.secret,
    );
    for (const { request, body: text } of sent) {
      const signature = createHmac("sha256", secret).update(text).digest("hex");
      expect(request.headers["x-quarry-signature"]).toBe(`sha256=${signature}`);
      expect(request.headers["x-team"]).toBe("blue");
    }
    const log = await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
    expect(log).toHaveLength(4);
    for (const entry of log) expect(entry).toMatchObject({ state: "delivered", attempts: 1 });
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({
      webhook: { headers: { "x-team": "[hidden]" } },
    });
  });

  it("paginates the pages of a check and filters them by status", async () => {
    const urls = [openPage("one"), openPage("two"), openPage("three")].map(({ url }) => url);
    const { id } = await create(urls[0] ?? "", { targets: [{ type: "scrape", urls }] });
    const { id: checkId } = await check(id);
    const path = `/v2/monitor/${id}/checks/${checkId}`;
    const first = (await service.ask(`${path}?limit=2`)).body as unknown as {
      next: string;
      data: WholeCheck;
    };
    expect(first.data.pages.map(({ url }) => url)).toEqual(urls.slice(0, 2));
    expect(first.next).toBe(`${service.url}${path}?limit=2&skip=2`);
    expect(await ask("GET", `${path}?limit=2&skip=2`)).toMatchObject({
      next: null,
      pages: [{ url: urls[2] }],
    });
    expect(await ask("GET", `${path}?status=changed`)).toMatchObject({ pages: [] });
  });

  it.each([
    [{ schedule: { text: "every 7 minutes" } }, "do not divide the day evenly"],
    [{ schedule: { cron: "0 0 31 2 *" } }, "never runs"],
    [{ webhook: { url: "http://169.254.169.254/latest" } }, "webhook.url"],
    [{ channels: [{ type: "slack", url: "http://10.0.0.1/x" }] }, "channels[0].url"],
    [{ channels: [{ type: "email", to: ["a@b.example"] }] }, "QUARRY_SMTP_URL"],
    [{ notification: { email: { recipients: ["a@b.example"] } } }, "QUARRY_SMTP_URL"],
    [
      { when: { conditions: [{ type: "numberBelow", field: "price", near: "Price", value: 3 }] } },
      "field and near",
    ],
    [
      {
        targets: [{ type: "scrape", urls: ["https://a.example"], scope: { linesMatching: ["("] } }],
      },
      "linesMatching",
    ],
  ])("rejects a monitor with %j and names the field", async (fields, text) => {
    const answer = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: "bad",
        schedule: { text: "hourly" },
        targets: [{ type: "scrape", urls: ["https://a.example"] }],
        ...fields,
      },
    });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain(text);
  });

  it("never returns tokens and addresses of channels", async () => {
    const harbour = openPage("Open daily from 9 to 17.");
    const made = await create(harbour.url, {
      channels: [
        { type: "slack", url: `${receiver}/services/T0/SECRET` },
        { type: "telegram", url: receiver, token: "SECRET", chatId: "1" },
      ],
      targets: [
        { type: "scrape", urls: [harbour.url], scrapeOptions: { headers: { cookie: "SECRET" } } },
      ],
    });
    expect(JSON.stringify(made)).not.toContain("SECRET");
    expect(made.channels).toMatchObject([
      { type: "slack", host: new URL(receiver).host },
      { type: "telegram" },
    ]);
    const kept = await ask<Monitor>("PATCH", `/v2/monitor/${made.id}`, { targets: made.targets });
    expect(kept.targets).toEqual(made.targets);
  });

  it("serves alerts and recoveries as Atom and RSS at a secret URL, without changes that `when` rejects", async () => {
    const harbour = openPage("Open <b>daily</b> from 9 to 17 &amp; more.");
    const { id, feedUrl = "" } = await create(harbour.url, {
      detection: { ...SOON.detection, ignoreNoise: false, brokenAfter: 2 },
      when: { conditions: [{ type: "textAppears", text: "closed" }] },
    });
    const readTitles = async (): Promise<string[]> =>
      [...(await (await fetch(feedUrl)).text()).matchAll(/<title>[^<]*: (\w+)</g)].map(
        ([, status = ""]) => status,
      );
    await check(id);
    expect(await readTitles()).toEqual([]);
    harbour.edit("Open daily from 10 to 17.");
    const rejected = await check(id);
    expect(rejected.pages[0]).toMatchObject({ status: "changed", event: null });
    expect(await readTitles()).toEqual([]);
    harbour.edit("The harbour is closed.");
    expect((await check(id)).pages[0]).toMatchObject({ status: "changed", event: "change" });
    expect(await readTitles()).toEqual(["changed"]);
    harbour.answer((response) => void response.writeHead(500).end());
    for (const event of [null, "broken", null])
      expect((await check(id)).pages[0]).toMatchObject({ status: "error", event });
    const feed = await fetch(feedUrl);
    expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const text = await feed.text();
    expect(text.match(/<entry>/g)).toHaveLength(2);
    expect(text).toContain(": broken</title>");
    expect(text).toContain(`<link href="${harbour.url}"/>`);
    expect((await fetch(`${feedUrl}x`)).status).toBe(404);
    expect((await fetch(`${feedUrl}x.rss`)).status).toBe(404);
    harbour.edit("The harbour is closed.");
    expect((await check(id)).pages[0]).toMatchObject({ status: "same", event: "recovered" });
    expect(await readTitles()).toEqual(["recovered", "broken", "changed"]);
    const rss = await fetch(`${feedUrl}.rss`);
    expect(rss.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    const items = (await rss.text()).split("<item>").slice(1);
    expect(items.map((item) => /<title>(.*)<\/title>/.exec(item)?.[1])).toEqual([
      "Harbour: recovered",
      // A page that cannot be read has no title.
      `${harbour.url}: broken`,
      "Harbour: changed",
    ]);
    expect(items[0]).toContain("The page can be read again.");
    expect(items[2]).toContain("&lt;pre&gt;");
    expect(items[2]).toContain(`<link>${harbour.url}</link>`);
    expect(new Set(items.map((item) => /<guid[^>]*>(.*)<\/guid>/.exec(item)?.[1])).size).toBe(3);
  });

  it.each<[string, object]>([
    ["targets[0].scrapeOptions.includeTags[1]", { includeTags: ["h1", "p:not("] }],
    ["targets[0].scrapeOptions.includeTags[0]", { includeTags: [".price:nonsense"] }],
    ["targets[0].scrapeOptions.includeTags[0]", { includeTags: ["//div[@id='a']"] }],
    ["targets[0].scrapeOptions.excludeTags[0]", { excludeTags: ["div >"] }],
    ["targets[0].scope.jsonPaths[1]", { jsonPaths: ["$.a", "$.items[?(@.a)]"] }],
    ["scope.linesMatching[0]", { linesMatching: ["price ("] }],
    ["scope.linesNotMatching[0]", { linesNotMatching: ["(?=a)"] }],
    ["detection.ignore[0]", { ignore: ["[a"] }],
    ["detection.watch[0]", { watch: ["*"] }],
    ["timezone", { text: "daily", timezone: "Europe/Nowhere" }],
    ["cron field 2", { cron: "0 25 * * *" }],
    ["cron must have five fields", { cron: "0 0 * * * *" }],
    ["schedule: text", { text: "at noon" }],
    ["schedule: 0 0 30 2 * never runs", { cron: "0 0 30 2 *" }],
  ])("refuses to create or change a monitor with an invalid %s", async (field, value) => {
    const name = Object.keys(value)[0] ?? "";
    const url = openPage("Open.").url;
    const target = { type: "scrape", urls: [url] };
    const wrong =
      name === "text" || name === "cron"
        ? { schedule: value }
        : name === "ignore" || name === "watch"
          ? { detection: value }
          : name.endsWith("Tags")
            ? { targets: [{ ...target, scrapeOptions: value }] }
            : { targets: [{ ...target, scope: value }] };
    const { id } = await create(url);
    const body = { name: "x", schedule: { text: "daily" }, targets: [target], ...wrong };
    for (const [method, path, sent] of [
      ["POST", "/v2/monitor", body],
      ["POST", "/v2/monitor/estimate", body],
      ["PATCH", `/v2/monitor/${id}`, wrong],
    ] as const) {
      const answer = await service.ask(path, { method, body: sent });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.text).toContain(field);
    }
  });

  it("takes selectors with wildcards, and those of a crawl are checked as well", async () => {
    const { url } = openPage("Open.");
    const scrapeOptions = { includeTags: ["*price*", "main > p:first-of-type, #a"] };
    await create(url, { targets: [{ type: "crawl", url, scrapeOptions }] });
    const crawlOptions = { scrapeOptions: { excludeTags: ["a b("] } };
    const body = {
      name: "x",
      schedule: { text: "daily" },
      targets: [{ type: "crawl", url, crawlOptions }],
    };
    const answer = await service.ask("/v2/monitor", { method: "POST", body });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain("targets[0].crawlOptions.scrapeOptions.excludeTags[0]");
  });

  it("estimates runs and credits without saving", async () => {
    const body = {
      name: "estimate",
      schedule: { text: "daily at 9:30", timezone: "Europe/Berlin" },
      targets: [{ type: "scrape", urls: [`${base}/a`, `${base}/b`] }],
    };
    const data = await ask<{ nextRuns: string[] }>("POST", "/v2/monitor/estimate", body);
    expect(data).toMatchObject({ estimatedCreditsPerMonth: 60, schedule: { cron: "30 9 * * *" } });
    expect(data.nextRuns).toHaveLength(5);
  });
});
