import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline/promises";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import type { ProgressListener } from "../engines/document.ts";
import { LimitError, TargetError } from "../errors.ts";
import { answerWithProgress } from "./answer-with-progress.ts";
import { onError } from "./middleware/on-error.ts";

const LINES = { accept: "application/x-ndjson" };
const servers: FastifyInstance[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Piece = {
  readonly reading: ProgressListener | undefined;
  readonly end: (body: string | Error) => void;
};

/** A server whose work starts, reports and ends on command of the test. */
async function serve() {
  const begun = Promise.withResolvers<Piece>();
  const counted = Promise.withResolvers<number>();
  const server = fastify();
  servers.push(server);
  server.setErrorHandler(onError);
  server.addHook("onResponse", async (_request, reply) => counted.resolve(reply.statusCode));
  server.post("/", async (request, reply) =>
    answerWithProgress({ request, reply }, async (reading) => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const end = (body: string | Error): void =>
        typeof body === "string" ? resolve(Buffer.from(body)) : reject(body);
      begun.resolve({ reading, end });
      return await promise;
    }),
  );
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const send = async (headers: Record<string, string>): Promise<IncomingMessage> => {
    const asking = ask({ host: "127.0.0.1", port, method: "POST", headers });
    asking.end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    return response;
  };
  return { send, begun: begun.promise, counted: counted.promise };
}

const read = async (response: IncomingMessage): Promise<unknown[]> => {
  const lines: unknown[] = [];
  for await (const line of createInterface({ input: response })) lines.push(JSON.parse(line));
  return lines;
};

const of = (pagesDone: number): { pagesDone: number; pagesWanted: number } => ({
  pagesDone,
  pagesWanted: 8,
});

describe("answers without progress", () => {
  it.each([
    [{}],
    [{ accept: "*/*" }],
    [{ accept: "application/json, text/plain, */*" }],
    [{ accept: "application/*" }],
    [{ accept: "application/x-ndjson;q=0" }],
    [{ accept: "application/json, application/x-ndjson;q=0.5" }],
  ])("sends a single JSON body when Accept is %j", async (headers) => {
    const { send, begun } = await serve();
    const sent = send(headers as Record<string, string>);
    const { reading, end } = await begun;
    expect(reading).toBeUndefined();
    end('{"success":true}');
    const response = await sent;
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(await read(response)).toEqual([{ success: true }]);
  });
});

describe("answers with progress lines", () => {
  it.each(["application/x-ndjson", "Application/X-NDJSON; q=1, application/json;q=0.9"])(
    "streams each progress line at once and the answer last when Accept is %s",
    async (accept) => {
      const { send, begun, counted } = await serve();
      const sent = send({ accept });
      const { reading, end } = await begun;
      reading?.onProgress({ ...of(1), kind: "inside" } as never);
      const response = await sent;
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        "content-type": "application/x-ndjson; charset=utf-8",
        "x-accel-buffering": "no",
      });
      const lines = createInterface({ input: response })[Symbol.asyncIterator]();
      const next = async (): Promise<unknown> =>
        JSON.parse(String((await lines.next()).value)) as unknown;
      expect(await next()).toEqual({ type: "progress", ...of(1) });
      reading?.onProgress(of(2));
      expect(await next()).toEqual({ type: "progress", ...of(2) });
      end('{"success":true,"data":{"markdown":"One\\nTwo"}}');
      const body = { success: true, data: { markdown: "One\nTwo" } };
      expect(await next()).toEqual({ type: "answer", status: 200, body });
      expect((await lines.next()).done).toBe(true);
      expect(await counted).toBe(200);
    },
  );

  it("sends one line when there was no progress", async () => {
    const { send, begun } = await serve();
    const sent = send(LINES);
    (await begun).end('{"success":true}');
    const response = await sent;
    expect(response.headers["content-type"]).toContain("application/x-ndjson");
    expect(await read(response)).toEqual([
      { type: "answer", status: 200, body: { success: true } },
    ]);
  });

  it("reports a failure before the first line by its HTTP status", async () => {
    const { send, begun } = await serve();
    const sent = send(LINES);
    (await begun).end(new TargetError("SCRAPE_UNSUPPORTED_FILE_ERROR", "It is damaged."));
    const response = await sent;
    expect(response.statusCode).toBe(500);
    expect(response.headers["content-type"]).toContain("application/json");
    expect(await read(response)).toEqual([
      { success: false, error: "It is damaged.", code: "SCRAPE_UNSUPPORTED_FILE_ERROR" },
    ]);
  });

  it("reports late failures in the final NDJSON line and counts them as errors", async () => {
    const { send, begun, counted } = await serve();
    const sent = send(LINES);
    const { reading, end } = await begun;
    reading?.onProgress(of(3));
    const response = await sent;
    end(new LimitError("UNAVAILABLE", "It stops.", { retryAfterMs: 1_200 }));
    expect(await read(response)).toEqual([
      { type: "progress", ...of(3) },
      {
        type: "answer",
        status: 503,
        retryAfter: 2,
        body: { success: false, error: "It stops.", code: "UNAVAILABLE" },
      },
    ]);
    expect([response.statusCode, await counted]).toEqual([200, 503]);
  });

  it("hides the details of an internal error in the final line", async () => {
    const { send, begun } = await serve();
    const sent = send(LINES);
    const { reading, end } = await begun;
    reading?.onProgress(of(3));
    const response = await sent;
    end(new TypeError("secret of the inside"));
    const [, answer] = await read(response);
    expect(answer).toMatchObject({ status: 500, body: { success: false, code: "UNKNOWN_ERROR" } });
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  it("sends a slow reader only the latest progress", async () => {
    const { send, begun } = await serve();
    const sent = send(LINES);
    const { reading, end } = await begun;
    for (let done = 1; done <= 5; done++) reading?.onProgress(of(done));
    const response = await sent;
    end("{}");
    const lines = await read(response);
    expect(lines[0]).toEqual({ type: "progress", ...of(5) });
    expect(lines).toHaveLength(2);
  });
});
