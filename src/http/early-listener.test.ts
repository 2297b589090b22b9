import { once } from "node:events";
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEarlyListener, type EarlyListener } from "./early-listener.ts";
import { serveHealth } from "./health.ts";

type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly host?: string;
};

const PLACE = { host: "127.0.0.1", port: 0, role: "all", auth: true } as const;
const LIVENESS = "/v0/health/liveness";
const WATCHED = "/v2/crawl/0199f0c0-0000-7000-8000-000000000000";

let listener: EarlyListener;
const findPort = ({ server }: EarlyListener): number => (server.address() as AddressInfo).port;

async function make(place: object = {}): Promise<void> {
  listener = createEarlyListener({ ...PLACE, ...place });
  await listener.open();
}
beforeEach(() => make());
afterEach(() => listener.close());

/** Sends a request; resolves to the response. */
function send({ path = "/", host = "127.0.0.1", body, ...rest }: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked = ask({ agent: false, host, port: findPort(listener), path, ...rest });
  asked.on("response", (response: IncomingMessage) => {
    text(response).then((sent) => resolve({ ...answerOf(response), text: sent }), reject);
  });
  asked.on("error", reject);
  asked.end(body);
  return promise;
}
type Answer = ReturnType<typeof answerOf> & { readonly text: string };
const answerOf = ({ statusCode, headers }: IncomingMessage) => ({ status: statusCode, headers });

/** Sends a request and waits until the listener holds it. */
async function sendAndStand(asked: Asked): Promise<{ answer: Promise<Answer> }> {
  const stands = once(listener.server, "request");
  const answer = send(asked);
  answer.catch(() => undefined);
  await stands;
  return { answer };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.end(`${request.method} ${request.url} ${await text(request)}`);
}
const handle = (request: IncomingMessage, response: ServerResponse): void =>
  void echo(request, response);

describe("early listener before the service is loaded", () => {
  it("answers the liveness probe like the service's own route", async () => {
    const service = fastify();
    serveHealth(service, []);
    for (const method of ["GET", "HEAD"] as const) {
      const own = await service.inject({ method, url: LIVENESS });
      const { status, headers, text: body } = await send({ method, path: LIVENESS });
      expect(status).toBe(own.statusCode);
      expect(body).toBe(own.body);
      for (const name of ["content-type", "content-length"])
        expect(headers[name]).toBe(String(own.headers[name]));
    }
  });

  it("queues other requests until the service answers them, body included", async () => {
    const page = await sendAndStand({ path: "/docs" });
    const scrape = await sendAndStand({ method: "POST", path: "/v2/scrape", body: "{}" });
    const post = await sendAndStand({ method: "POST", path: LIVENESS });
    listener.admit(handle);
    expect((await page.answer).text).toBe("GET /docs ");
    expect((await scrape.answer).text).toBe("POST /v2/scrape {}");
    expect((await post.answer).text).toBe(`POST ${LIVENESS} `);
    expect((await send({ path: LIVENESS })).text).toBe(`GET ${LIVENESS} `);
  });

  it("drops requests whose callers hung up", async () => {
    const gone = ask({ agent: false, port: findPort(listener), path: "/gone" }).end();
    gone.on("error", () => undefined);
    const [request] = (await once(listener.server, "request")) as [IncomingMessage];
    const left = once(request.socket, "close");
    gone.destroy();
    await left;
    const seen: (string | undefined)[] = [];
    const { answer } = await sendAndStand({ path: "/here" });
    listener.admit((asked, response) => {
      seen.push(asked.url);
      response.end();
    });
    await answer;
    expect(seen).toEqual(["/here"]);
  });

  it("without keys leaves requests with a foreign Host or Origin to the service", async () => {
    await listener.close();
    await make({ auth: false });
    expect((await send({ path: LIVENESS })).status).toBe(200);
    const foreign = [
      await sendAndStand({ path: LIVENESS, headers: { host: "evil.example" } }),
      await sendAndStand({ path: LIVENESS, headers: { origin: "https://evil.example" } }),
    ];
    listener.admit((_request, response) => response.writeHead(403).end());
    for (const { answer } of foreign) expect((await answer).status).toBe(403);
  });

  it("queues WebSocket upgrades until the service accepts them", async () => {
    const socket = upgrade();
    await standsToo();
    listener.server.on("upgrade", (request, stream, head) =>
      stream.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${request.url} ${head.toString()}`),
    );
    listener.admit(handle);
    expect(await text(socket)).toContain(`${WATCHED} early`);
  });

  it("answers an upgrade as a plain request when the process serves none", async () => {
    await listener.close();
    await make({ role: "worker" });
    const stands = once(listener.server, "request");
    const socket = upgrade();
    await stands;
    listener.admit((_request, response) => response.writeHead(404, { connection: "close" }).end());
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("answers invalid requests with the standard error body", async () => {
    const socket = connect(findPort(listener), "127.0.0.1");
    socket.write("nonsense\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"BAD_REQUEST"/);
  });

  it("applies the connection limits of the service", () => {
    const { requestTimeout, headersTimeout, keepAliveTimeout } = listener.server;
    expect({ requestTimeout, headersTimeout, keepAliveTimeout }).toEqual({
      requestTimeout: 60_000,
      headersTimeout: 60_000,
      keepAliveTimeout: 72_000,
    });
  });
});

describe("early listener that closes before the service is loaded", () => {
  it("rejects queued requests with Retry-After and does not wait for slow senders", async () => {
    const slow = connect(findPort(listener), "127.0.0.1");
    slow.on("error", () => undefined);
    slow.write("POST /v2/scrape HTTP/1.1\r\nHost: here\r\nContent-Le");
    const watcher = upgrade();
    await standsToo();
    const { answer } = await sendAndStand({ method: "POST", path: "/v2/scrape", body: "{}" });
    await listener.close("The server could not start.");
    const { status, headers, text: body } = await answer;
    expect(status).toBe(503);
    expect(headers["retry-after"]).toBe("1");
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: "The server could not start.",
      code: "UNAVAILABLE",
    });
    expect(await text(watcher)).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*UNAVAILABLE/);
    expect(listener.server.listening).toBe(false);
  });
});

describe("listening addresses", () => {
  it("reports a port that is in use", async () => {
    const second = createEarlyListener({ ...PLACE, port: findPort(listener) });
    await expect(second.open()).rejects.toMatchObject({ code: "EADDRINUSE", syscall: "listen" });
    await second.close();
  });

  it.runIf(process.platform === "linux")(
    "accepts several new connections per turn of the event loop",
    async () => {
      const CONNECTIONS = 96;
      let accepted = 0;
      let turns = 0;
      const all = Promise.withResolvers<void>();
      listener.server.on("connection", () => {
        accepted += 1;
        if (accepted === CONNECTIONS) all.resolve();
      });
      const turn = (): void => {
        turns += 1;
        if (accepted < CONNECTIONS) setImmediate(turn);
      };
      // The system completes them at once; none is accepted before the next turn.
      const sockets = Array.from({ length: CONNECTIONS }, () =>
        connect(findPort(listener), "127.0.0.1").on("error", () => undefined),
      );
      setImmediate(turn);
      await all.promise;
      for (const socket of sockets) socket.destroy();
      expect(turns).toBeLessThan(CONNECTIONS / 2);
    },
  );

  it("localhost listens on every address of that name and closes all of them", async () => {
    await listener.close();
    const addresses = ["127.0.0.1", "::1", "192.0.2.1"];
    listener = createEarlyListener({ ...PLACE, host: "localhost" }, async () =>
      addresses.map((address) => ({ address })),
    );
    await listener.open();
    const { port } = listener.server.address() as AddressInfo;
    const had: string[] = [];
    for (const address of addresses) if (await isFree(address, 0)) had.push(address);
    expect(had).toContain("127.0.0.1");
    for (const host of had) {
      expect((await send({ host, path: LIVENESS })).status, host).toBe(200);
      expect(await isFree(host, port), host).toBe(false);
    }
    const early = await Promise.all(had.map((host) => sendAndStand({ host, path: "/early" })));
    listener.admit(handle);
    for (const { answer } of early) expect((await answer).text).toBe("GET /early ");
    for (const host of had) expect((await send({ host, path: "/" })).text, host).toBe("GET / ");
    await listener.close();
    for (const host of had) expect(await isFree(host, port), host).toBe(true);
  });
});

/** Requests a WebSocket and sends its first bytes at once. */
function upgrade() {
  const socket = connect(findPort(listener), "127.0.0.1");
  const lines = ["Host: here", "Connection: Upgrade", "Upgrade: websocket"];
  socket.write(`GET ${WATCHED} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\nearly`);
  return socket;
}

/** By the time a later connection is answered, earlier ones were read. */
async function standsToo(): Promise<void> {
  expect((await send({ path: LIVENESS })).status).toBe(200);
}

/** True if this port of the address is free. */
async function isFree(host: string, port: number): Promise<boolean> {
  const server = createTcpServer().listen({ host, port });
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
