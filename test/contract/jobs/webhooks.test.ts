// Webhooks and WebSockets of whole jobs over HTTP; and the code of docs/webhooks.md.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DeliveryListResponse } from "../../../src/contract/jobs/delivery.ts";
import { webhookEventSchema, type WebhookEvent } from "../../../src/contract/jobs/webhook.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { signBody } from "../../../src/webhooks/signature.ts";
import { closeAll, listen, openSite, readPort } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";

const SECRET = "s3cret";
const PAGES = ["/", "/a", "/b"];

type Received = {
  readonly event: WebhookEvent;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
};

/** Everything receivers were sent, and the waiting tests. */
const received: Received[] = [];
const waiting = new Set<() => void>();

let base: string;
let hooks: string;
let service: Service;
let client: Firecrawl;
beforeAll(async () => {
  const site = await openSite((request, response) => {
    const isThere = PAGES.includes(request.url ?? "");
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/html" });
    const links = PAGES.map((to) => `<a href="${to}">${to}</a>`).join(" ");
    response.end(`<title>t</title><main><h1>Page ${request.url}</h1>${links}</main>`);
  });
  base = site.base;
  const receiver = await listen(
    createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts);
        const event = JSON.parse(body.toString()) as WebhookEvent;
        received.push({ event, body, headers: request.headers, path: request.url ?? "" });
        response.writeHead(request.url === "/broken" ? 500 : 200).end("thanks");
        for (const look of waiting) look();
      });
    }),
  );
  hooks = `http://127.0.0.1:${readPort(receiver)}`;
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    webhookSecret: new Secret(SECRET),
    webhookUrl: `${hooks}/all/{jobId}`,
  });
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

/** Returns the events of a job once the last one has arrived. */
async function eventsOf(id: string, last = /completed|failed|cancelled/): Promise<Received[]> {
  const own = (): Received[] => received.filter(({ event }) => event.id === id);
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (own().some(({ event }) => last.test(event.type))) resolve();
  };
  waiting.add(look);
  look();
  await promise;
  waiting.delete(look);
  return own();
}

const typesOf = (events: readonly Received[]): string[] => events.map(({ event }) => event.type);

async function logOf(kind: string, id: string): Promise<DeliveryListResponse> {
  const { body } = await service.ask(`/v2/${kind}/${id}/webhooks`);
  return body as unknown as DeliveryListResponse;
}

describe("job webhooks", () => {
  it("sends start, each page and end of a crawl by the published client", async () => {
    const { id } = await client.startCrawl(base, {
      sitemap: "skip",
      webhook: { url: `${hooks}/own`, headers: { "x-mine": "1" }, metadata: { order: "17" } },
    });
    const events = await eventsOf(id);
    expect(typesOf(events)).toEqual([
      "crawl.started",
      "crawl.page",
      "crawl.page",
      "crawl.page",
      "crawl.completed",
    ]);
    for (const { event, headers, path: target } of events) {
      expect(webhookEventSchema.safeParse(event).success).toBe(true);
      expect(event.metadata).toEqual({ order: "17" });
      expect(headers["x-mine"]).toBe("1");
      expect(target).toBe("/own");
    }
    const { data } = await client.getCrawlStatus(id);
    const sent = events.flatMap(({ event }) => event.data as { metadata: { scrapeId: string } }[]);
    expect(sent.map(({ metadata }) => metadata.scrapeId).toSorted()).toEqual(
      data.map(({ metadata }) => String(metadata?.scrapeId)).toSorted(),
    );
  });

  it("sends an event again with the same id when asked", async () => {
    const { id } = await client.startCrawl(`${base}/a`, {
      sitemap: "skip",
      limit: 1,
      webhook: { url: `${hooks}/again`, events: ["completed"] },
    });
    const [first] = await eventsOf(id);
    await expect
      .poll(async () => (await logOf("crawl", id)).deliveries[0]?.state)
      .toBe("delivered");
    const { webhookId = "" } = (await logOf("crawl", id)).deliveries[0] ?? {};
    const { status, body } = await service.ask(`/v2/crawl/${id}/webhooks/${webhookId}`, {
      method: "POST",
    });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, id, webhookId } });
    const own = () => received.filter(({ event }) => event.id === id);
    await expect.poll(() => own().length).toBe(2);
    expect(own()[1]?.body).toEqual(first?.body);
    await expect
      .poll(async () => (await logOf("crawl", id)).deliveries[0])
      .toMatchObject({ webhookId, state: "delivered", attempts: 1 });
  });

  it("tries an event at once that waits for its next attempt", async () => {
    const { id } = await client.startCrawl(`${base}/a`, {
      sitemap: "skip",
      limit: 1,
      webhook: { url: `${hooks}/broken`, events: ["completed"] },
    });
    await expect
      .poll(async () => (await logOf("crawl", id)).deliveries[0])
      .toMatchObject({ state: "waiting", attempts: 1 });
    const { webhookId = "" } = (await logOf("crawl", id)).deliveries[0] ?? {};
    await service.ask(`/v2/crawl/${id}/webhooks/${webhookId}`, { method: "POST" });
    await expect.poll(async () => (await logOf("crawl", id)).deliveries[0]?.attempts).toBe(2);
  });

  it("returns 404 for an event of another job, another account's job and an unknown event", async () => {
    const { id } = await client.startCrawl(`${base}/a`, { sitemap: "skip", limit: 1 });
    await eventsOf(id);
    const { id: other } = await client.startCrawl(`${base}/b`, { sitemap: "skip", limit: 1 });
    await eventsOf(other);
    const { webhookId = "" } = (await logOf("crawl", other)).deliveries[0] ?? {};
    for (const path of [
      `/v2/crawl/${id}/webhooks/${webhookId}`,
      `/v2/crawl/${id}/webhooks/${crypto.randomUUID()}`,
      `/v2/batch/scrape/${id}/webhooks/${webhookId}`,
      `/v2/crawl/${crypto.randomUUID()}/webhooks/${webhookId}`,
    ])
      expect((await service.ask(path, { method: "POST" })).status, path).toBe(404);
    expect((await service.ask(`/v2/crawl/${id}/webhooks/no-uuid`, { method: "POST" })).status).toBe(
      400,
    );
  });

  it("sends events of a batch without a webhook, failed pages included, to the deployment's", async () => {
    const { id } = await client.startBatchScrape([`${base}/a`, "http://127.0.0.1:1/"]);
    const events = await eventsOf(id);
    expect(new Set(events.map((each) => each.path))).toEqual(new Set([`/all/${id}`]));
    expect(typesOf(events)).toEqual([
      "batch_scrape.started",
      "batch_scrape.page",
      "batch_scrape.page",
      "batch_scrape.completed",
    ]);
    const failed = events.filter(({ event }) => !event.success);
    expect(failed.map(({ event }) => event.type)).toEqual(["batch_scrape.page"]);
    expect(failed[0]?.event.error).toBeTruthy();
    const log = await logOf("batch/scrape", id);
    expect(log.deliveries.map(({ webhookId }) => webhookId).toSorted()).toEqual(
      events.map(({ event }) => event.webhookId).toSorted(),
    );
  });

  it("sends only the requested events and logs one that was rejected", async () => {
    const { id } = await client.startCrawl(`${base}/a`, {
      sitemap: "skip",
      limit: 1,
      webhook: { url: `${hooks}/broken`, events: ["completed"] },
    });
    expect(typesOf(await eventsOf(id))).toEqual(["crawl.completed"]);
    const read = async () => (await logOf("crawl", id)).deliveries;
    let deliveries = await read();
    // The receiver has answered; recording it takes a moment.
    while (deliveries[0]?.statusCode === undefined) deliveries = await read();
    expect(deliveries).toMatchObject([
      { state: "waiting", attempts: 1, statusCode: 500, error: "The receiver answered 500." },
    ]);
    expect(Date.parse(deliveries[0]?.nextAttemptAt ?? "")).toBeGreaterThan(Date.now() + 50_000);
  });

  it("answers 400 at once for a forbidden webhook address", async () => {
    for (const webhook of ["http://10.0.0.1/hook", { url: "http://169.254.169.254/" }]) {
      const answer = await service.ask("/v2/crawl", {
        method: "POST",
        body: { url: base, webhook },
      });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.error).toMatch(/^webhook: .*may not be reached/);
    }
  });

  it("pages the delivery log and hides it from other accounts", async () => {
    const { id } = await client.startBatchScrape([`${base}/a`, `${base}/b`]);
    await eventsOf(id);
    const { body } = await service.ask(`/v2/batch/scrape/${id}/webhooks?limit=3`);
    const first = body as unknown as DeliveryListResponse;
    expect(first.deliveries).toHaveLength(3);
    const rest = await fetch(first.next ?? "", {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const second = (await rest.json()) as DeliveryListResponse;
    expect(second.deliveries.map(({ type }) => type)).toEqual(["batch_scrape.completed"]);
    expect(second).not.toHaveProperty("next");
    expect((await service.ask(`/v2/crawl/${id}/webhooks`)).status).toBe(404);
    expect((await service.ask(`/v2/batch/scrape/${id}/webhooks?limit=0`)).status).toBe(400);
  });
});

describe("docs/webhooks.md", () => {
  const read = async (language: string): Promise<string> => {
    const file = path.resolve(import.meta.dirname, "../../../docs/webhooks.md");
    const text = await readFile(file, "utf8");
    return text.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  };
  const aDelivery = async (): Promise<{ body: Buffer; signature: string }> => {
    const { id } = await client.startBatchScrape([`${base}/a`]);
    const [first] = await eventsOf(id);
    if (first === undefined) throw new Error("no event came");
    return { body: first.body, signature: String(first.headers["x-firecrawl-signature"]) };
  };

  it("the JavaScript in docs/webhooks.md verifies this server's signatures and nothing else", async () => {
    const { body, signature } = await aDelivery();
    const source = `data:text/javascript,${encodeURIComponent(await read("js"))}`;
    const { isGenuine } = (await import(source)) as {
      isGenuine: (body: Buffer, signature: string | undefined, secret: string) => boolean;
    };
    expect(isGenuine(body, signature, SECRET)).toBe(true);
    expect(isGenuine(body, signature, "other")).toBe(false);
    expect(isGenuine(Buffer.concat([body, Buffer.from(" ")]), signature, SECRET)).toBe(false);
    expect(isGenuine(body, undefined, SECRET)).toBe(false);
  });

  it("the Python in docs/webhooks.md verifies this server's signatures and nothing else", async ({
    skip,
  }) => {
    const { body, signature } = await aDelivery();
    const source = await read("python");
    const run = `${source}\nimport sys\nprint(is_genuine(sys.stdin.buffer.read(), sys.argv[1], sys.argv[2]))`;
    const check = (secret: string): string =>
      execFileSync("python3", ["-c", run, signature, secret], { input: body }).toString().trim();
    try {
      execFileSync("python3", ["--version"]);
    } catch {
      skip("there is no python3 here");
    }
    expect(check(SECRET)).toBe("True");
    expect(check("other")).toBe("False");
  });
});

describe("signing secrets", () => {
  const route = "/admin/accounts/default/webhook-secret";
  const secretAt = async (own: Service): Promise<string> =>
    ((await own.admin("GET", route)).body.data as unknown as { secret: string }).secret;
  const crawl = async (own: Service, webhook: object): Promise<Received> => {
    const { body } = await own.ask("/v2/crawl", {
      method: "POST",
      body: { url: base, limit: 1, sitemap: "skip", webhook: { url: `${hooks}/own`, ...webhook } },
    });
    const [first] = await eventsOf(String(body["id"]));
    if (first === undefined) throw new Error("no event came");
    return first;
  };
  const signedBy = ({ body, headers }: Received, secret: string): boolean =>
    headers["x-quarry-signature"] === signBody(body, secret);

  it("signs with the configured secret until the first account's is rotated", async () => {
    expect(await secretAt(service)).toBe(SECRET);
    expect(signedBy(await crawl(service, {}), SECRET)).toBe(true);
  });

  it("signs with the account's generated secret and with the next one after a rotation", async () => {
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"], browser: "none" });
    try {
      const first = await crawl(own, {});
      const secret = await secretAt(own);
      expect(secret).toMatch(/^whsec_[\w-]{43}$/);
      expect(signedBy(first, secret)).toBe(true);
      const { body } = await own.admin("POST", `${route}/rotate`, {});
      const next = (body.data as unknown as { secret: string }).secret;
      expect(next).not.toBe(secret);
      expect(await secretAt(own)).toBe(next);
      expect(signedBy(await crawl(own, {}), next)).toBe(true);
      const unknown = "/admin/accounts/00000000-0000-7000-8000-00000000ffff/webhook-secret";
      expect((await own.admin("GET", unknown)).status).toBe(404);
      expect((await own.admin("GET", unknown.replace("0000", "not-an-id"))).status).toBe(404);
      expect((await own.ask(route)).status).toBe(401);
    } finally {
      await own.close();
    }
  });

  it("signs with the webhook's own secret, which is stored encrypted and never returned", async () => {
    const secret = "a secret of this webhook alone";
    const event = await crawl(service, { secret });
    expect(signedBy(event, secret)).toBe(true);
    expect(signedBy(event, SECRET)).toBe(false);
    const { id } = event.event;
    for (const path of ["", "/webhooks", "/errors"])
      expect((await service.ask(`/v2/crawl/${id}${path}`)).text).not.toContain(secret);
    expect(service.log()).not.toContain(secret);
    const { status } = await service.ask("/v2/crawl", {
      method: "POST",
      body: { url: base, webhook: { url: hooks, secret: "too short" } },
    });
    expect(status).toBe(400);
  });
});

describe("published watcher", () => {
  it.each(["crawl", "batch"] as const)(
    "the published watcher receives each document once, then done: %s",
    async (kind) => {
      const { id } =
        kind === "crawl"
          ? await client.startCrawl(base, { sitemap: "skip" })
          : await client.startBatchScrape(PAGES.map((each) => `${base}${each}`));
      const watcher = client.watcher(id, { kind });
      const seen: unknown[] = [];
      watcher.on("document", ({ metadata }: { metadata?: { scrapeId?: string } }) =>
        seen.push(metadata?.scrapeId),
      );
      const finished = once(watcher, "done");
      await watcher.start();
      expect((await finished)[0]).toMatchObject({ status: "completed", completed: PAGES.length });
      expect(seen).toHaveLength(PAGES.length);
      expect(new Set(seen).size).toBe(PAGES.length);
    },
  );

  it("notifies the published watcher when the job is cancelled", async () => {
    const { id } = await client.startCrawl(base, { sitemap: "skip", delay: 30 });
    await client.cancelCrawl(id);
    const watcher = client.watcher(id);
    const finished = once(watcher, "done");
    await watcher.start();
    expect((await finished)[0]).toMatchObject({ status: "cancelled" });
  });
});
