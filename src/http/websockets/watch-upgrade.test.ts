import { once } from "node:events";
import { connect } from "node:net";
import { Firecrawl } from "@mendable/firecrawl-js";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as HeaderWebSocket } from "ws";
import { ANONYMOUS_IDENTITY } from "../../account/identity.ts";
import { createRateLimiter } from "../../account/rate.ts";
import type { WatchMessage } from "../../contract/jobs/watch.ts";
import { InternalError, LimitError, RequestError } from "../../errors.ts";
import { createLogger } from "../../logger.ts";
import type { Gatekeeper } from "../route.ts";
import { isUpgrade } from "./upgrades.ts";
import { toFrame, type Watch, type WatchFrame, type WatchOptions } from "./watch.ts";
import { serveWatches, type WatchServerParts } from "./watch-upgrade.ts";

const ID = "0199f0c0-0000-7000-8000-000000000000";
const KEY = "qy-key";

const page = (name: string) => ({ markdown: name, metadata: { scrapeId: name } });
const state = { total: 3, completed: 3, creditsUsed: 3 };
const catchup = (fields: object = {}): WatchMessage =>
  ({
    type: "catchup",
    data: {
      success: true,
      status: "scraping",
      ...state,
      createdAt: "2026-11-21T10:00:00.000Z",
      expiresAt: "2026-11-22T10:00:00.000Z",
      data: [page("a")],
      ...fields,
    },
  }) as WatchMessage;
const document = (name: string): WatchMessage => ({ type: "document", data: page(name) });
const done: WatchMessage = { type: "done", data: { status: "completed", ...state, data: [] } };

const WHOLE: readonly WatchMessage[] = [catchup(), document("b"), document("c"), done];

async function* play(messages: readonly WatchMessage[]): AsyncIterable<WatchFrame> {
  for (const message of messages) yield toFrame(message);
}

let server: FastifyInstance | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Serving = Partial<Omit<WatchServerParts, "gatekeeper">> & {
  readonly gatekeeper?: Partial<Gatekeeper>;
  readonly routes?: (server: FastifyInstance) => void;
};

/** Base URL of a server whose watch is `parts.watch`, by default one that plays WHOLE. */
async function serve({ gatekeeper, routes, ...parts }: Serving = {}): Promise<string> {
  server = fastify({ http: { shouldUpgradeCallback: isUpgrade } });
  routes?.(server);
  serveWatches(server, {
    watch: () => play(WHOLE),
    log: createLogger("silent"),
    gatekeeper: {
      verify: async (key) => (key === KEY ? ANONYMOUS_IDENTITY : undefined),
      anonymous: undefined,
      rate: createRateLimiter(),
      stopping: new AbortController().signal,
      ...gatekeeper,
    },
    ...parts,
  });
  return await server.listen({ host: "127.0.0.1", port: 0 });
}

type Heard = {
  readonly messages: WatchMessage[];
  readonly code: number;
  readonly reason: string;
  readonly protocol: string;
};

/** Everything a connection receives until it is closed; throws when the upgrade is rejected. */
async function listen(url: string, key: string | undefined = KEY): Promise<Heard> {
  const socket = new WebSocket(url.replace("http", "ws"), key === "" ? [] : key);
  const messages: WatchMessage[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  socket.addEventListener("message", ({ data }) => messages.push(JSON.parse(String(data))));
  socket.addEventListener("error", () => reject(new Error("the upgrade was refused")));
  socket.addEventListener("close", ({ code, reason }) =>
    resolve({ messages, code, reason, protocol: socket.protocol }),
  );
  return await promise;
}

const failing = (error: Error): Watch =>
  async function* () {
    await Promise.reject(error);
    yield toFrame(done);
  };

describe("WebSocket watch", () => {
  it("sends the catchup, each document and the end, then closes normally", async () => {
    const heard = await listen(`${await serve()}/v2/crawl/${ID}`);
    expect(heard.messages).toEqual(WHOLE);
    expect(heard.code).toBe(1000);
    expect(heard.protocol).toBe(KEY);
  });

  it.each([
    ["/v2/crawl", ["crawl"]],
    ["/v2/batch/scrape", ["batch_scrape"]],
    ["/v1/crawl", ["crawl", "batch_scrape"]],
    ["/v1/batch/scrape", ["batch_scrape"]],
  ])("watches jobs for %s of kind %s", async (path, kinds) => {
    let asked: WatchOptions | undefined;
    const watch: Watch = (options) => {
      asked = options;
      return play(WHOLE);
    };
    await listen(`${await serve({ watch })}${path}/${ID}?a=b`);
    expect(asked).toMatchObject({ id: ID, kinds, identity: ANONYMOUS_IDENTITY });
  });

  it("accepts the key from the Authorization header", async () => {
    const base = await serve();
    const socket = new HeaderWebSocket(`${base.replace("http", "ws")}/v2/crawl/${ID}`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    const [first] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(first.toString())).toMatchObject({ type: "catchup" });
    await once(socket, "close");
  });

  it.each([
    ["a foreign key", {}, "wrong", 3000, expect.stringMatching(/^Unauthorized: Invalid token\./)],
    ["no key", {}, "", 3000, expect.stringMatching(/^Unauthorized\. .*quarry keys create/)],
    [
      "a foreign job",
      { watch: failing(new RequestError("FORBIDDEN", "Forbidden.")) },
      KEY,
      3003,
      "Forbidden.",
    ],
    [
      "an unknown job",
      { watch: failing(new RequestError("NOT_FOUND", "Job not found.")) },
      KEY,
      1008,
      "Job not found.",
    ],
    [
      "a full server",
      { watch: failing(new LimitError("RATE_LIMITED", "Later.")) },
      KEY,
      1013,
      "Later.",
    ],
    [
      "our fault",
      { watch: failing(new InternalError("disk on fire")) },
      KEY,
      1011,
      expect.stringMatching(/^An unexpected error occurred\./),
    ],
  ] as const)(
    "%s: accepts the upgrade, reports the error and closes",
    async (_, parts, key, code, error) => {
      const heard = await listen(`${await serve(parts)}/v2/crawl/${ID}`, key);
      expect(heard.code).toBe(code);
      expect(heard.messages).toEqual([{ type: "error", error }]);
    },
  );

  it("reports a malformed id", async () => {
    const heard = await listen(`${await serve()}/v2/crawl/active`);
    expect(heard.code).toBe(1008);
    expect(heard.messages).toMatchObject([
      { error: expect.stringContaining("must be a valid UUID") },
    ]);
  });

  it("without keys lets every local program watch but no foreign web page", async () => {
    const base = await serve({ gatekeeper: { anonymous: async () => ANONYMOUS_IDENTITY } });
    expect((await listen(`${base}/v2/crawl/${ID}`, "")).code).toBe(1000);
    const socket = new HeaderWebSocket(`${base.replace("http", "ws")}/v2/crawl/${ID}`, {
      origin: "https://evil.example",
    });
    const messages: string[] = [];
    socket.on("message", (data: Buffer) => messages.push(data.toString()));
    expect((await once(socket, "close"))[0]).toBe(3003);
    expect(messages.join("")).not.toContain("catchup");
  });

  it("stops following when the watcher leaves", async () => {
    let followed: AbortSignal | undefined;
    const watch: Watch = async function* ({ signal }) {
      followed = signal;
      yield toFrame(catchup());
      await once(signal, "abort");
    };
    const base = await serve({ watch });
    const socket = new WebSocket(`${base.replace("http", "ws")}/v2/crawl/${ID}`, KEY);
    await once(socket as never, "message");
    expect(followed?.aborted).toBe(false);
    socket.close();
    await expect.poll(() => followed?.aborted).toBe(true);
  });

  it("a closing server disconnects watchers instead of waiting for them", async () => {
    const watch: Watch = async function* ({ signal }) {
      yield toFrame(catchup());
      await once(signal, "abort");
    };
    const base = await serve({ watch });
    const socket = new WebSocket(`${base.replace("http", "ws")}/v2/crawl/${ID}`, KEY);
    await once(socket as never, "message");
    const closed = once(socket as never, "close") as Promise<[CloseEvent]>;
    await server?.close();
    expect((await closed)[0].code).toBe(1001);
  });
});

describe("upgrade requests elsewhere", () => {
  const routes = (instance: FastifyInstance): void => {
    instance.post("/v2/scrape", async () => ({ answered: true }));
  };

  it.each(["h2c", "websocket"])(
    "answers an upgrade request for %s on another URL as a plain request",
    async (protocol) => {
      const { port } = new URL(await serve({ routes }));
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        [
          "POST /v2/scrape HTTP/1.1",
          "Host: localhost",
          "Connection: Upgrade, HTTP2-Settings, close",
          `Upgrade: ${protocol}`,
          "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
          "Content-Type: application/json",
          "Content-Length: 2",
          "",
          "{}",
        ].join("\r\n"),
      );
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      await once(socket, "close");
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(text).toContain('{"answered":true}');
    },
  );
});

describe("stalled readers", () => {
  it("stops producing messages for a stalled reader and finally disconnects it", async () => {
    const body = "x".repeat(1024 * 1024);
    const ended = Promise.withResolvers<void>();
    let made = 0;
    const watch: Watch = async function* ({ signal }) {
      signal.addEventListener("abort", () => ended.resolve());
      yield toFrame(catchup());
      for (; made < 1_000 && !signal.aborted; made++)
        yield toFrame({ type: "document", data: { markdown: body, metadata: {} } } as WatchMessage);
    };
    const base = await serve({ watch, stallMs: 300 });
    const socket = connect(Number(new URL(base).port), "127.0.0.1");
    socket.pause();
    socket.write(
      [
        `GET /v2/crawl/${ID} HTTP/1.1`,
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        `Sec-WebSocket-Protocol: ${KEY}`,
        "",
        "",
      ].join("\r\n"),
    );
    await ended.promise;
    // The bound: buffers of both ends of the connection, plus one.
    expect(made).toBeLessThan(40);
    socket.destroy();
  });

  it("disconnects a reader that does not answer pings", async () => {
    const ended = Promise.withResolvers<void>();
    const watch: Watch = async function* ({ signal }) {
      signal.addEventListener("abort", () => ended.resolve());
      yield toFrame(catchup());
      await ended.promise;
    };
    const base = await serve({ watch, pingMs: 20 });
    const socket = new HeaderWebSocket(`${base.replace("http", "ws")}/v2/crawl/${ID}`, KEY, {
      autoPong: false,
    });
    expect((await once(socket, "close"))[0]).toBe(1006);
    await ended.promise;
  });
});

describe("published watchers", () => {
  it.each(["crawl", "batch"] as const)(
    "the published v2 watcher receives every document once, then done: %s",
    async (kind) => {
      const client = new Firecrawl({ apiKey: KEY, apiUrl: await serve() });
      const watcher = client.watcher(ID, { kind });
      const names: unknown[] = [];
      watcher.on("document", (found: { markdown?: string }) => names.push(found.markdown));
      const finished = once(watcher, "done");
      await watcher.start();
      expect((await finished)[0]).toMatchObject({ status: "completed", completed: 3 });
      expect(names).toEqual(["a", "b", "c"]);
    },
  );

  it("the published v1 watcher receives every document once, then done once", async () => {
    const routes = (instance: FastifyInstance): void => {
      instance.post("/v1/crawl", async () => ({ success: true, id: ID, url: "" }));
    };
    const { v1 } = new Firecrawl({ apiKey: KEY, apiUrl: await serve({ routes }) });
    const watcher = await v1.crawlUrlAndWatch("https://a.example", {});
    const names: unknown[] = [];
    let ends = 0;
    watcher.addEventListener("document", ({ detail }) => {
      names.push(detail.markdown);
    });
    watcher.addEventListener("done", () => {
      ends++;
    });
    await once(watcher as never, "done");
    await once((watcher as unknown as { ws: WebSocket }).ws as never, "close");
    expect(names).toEqual(["a", "b", "c"]);
    expect(ends).toBe(1);
  });
});
