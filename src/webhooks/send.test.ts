import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createTestConfig } from "../config.ts";
import { createEgress, type Egress } from "../egress/dispatchers.ts";
import { createMetrics } from "../metrics.ts";
import { closeAll, openSite, openTcp } from "../../test/http-fetching.ts";
import { createSender, type Attempt, type Outcome, type SenderParts } from "./send.ts";
import { signBody } from "./signature.ts";

let egress: Egress | undefined;
afterEach(async () => {
  await egress?.close();
  await closeAll();
});

const BODY = new TextEncoder().encode('{"type":"crawl.page","text":"ä"}');

type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** A receiver with scripted answers, and the requests it got. */
async function openReceiver(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) =>
    void response.end(),
) {
  const received: Received[] = [];
  const { base } = await openSite((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts) });
      answer(response, request);
    });
  });
  return { url: `${base}/hook`, received };
}

async function send(
  attempt: Partial<Attempt> & { url: string },
  options: Partial<SenderParts> & { readonly allow?: string[]; readonly signal?: AbortSignal } = {},
): Promise<Outcome> {
  const { allow = ["127.0.0.1"], signal, ...parts } = options;
  egress = createEgress(createTestConfig({ egressAllow: allow }), { metrics: createMetrics() });
  const sender = createSender({ egress, userAgent: "Test/1", ...parts });
  return await sender(
    { headers: {}, body: BODY, eventId: "event-1", attempt: 2, secret: "s", ...attempt },
    signal,
  );
}

describe("delivery attempt", () => {
  it("posts the body with the event's id and the attempt number", async () => {
    const { url, received } = await openReceiver();
    expect(await send({ url })).toEqual({ statusCode: 200, error: undefined });
    expect(received[0]?.body).toEqual(Buffer.from(BODY));
    expect(received[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(BODY.length),
      "user-agent": "Test/1",
      "x-quarry-event-id": "event-1",
      "x-quarry-attempt": "2",
    });
  });

  it("signs exactly the sent bytes with any caller headers", async () => {
    const { url, received } = await openReceiver();
    const headers = { "X-Firecrawl-Signature": "sha256=forged", Authorization: "Bearer r" };
    await send({ url, headers });
    const signature = signBody(received[0]?.body ?? Buffer.alloc(0), "s");
    expect(received[0]?.headers).toMatchObject({
      "x-firecrawl-signature": signature,
      "x-quarry-signature": signature,
      authorization: "Bearer r",
    });
  });

  it("drops connection headers that the caller sets", async () => {
    const { url, received } = await openReceiver();
    const headers = {
      Host: "other.example",
      "Transfer-Encoding": "chunked",
      "Content-Length": "1",
    };
    expect((await send({ url, headers })).error).toBeUndefined();
    expect(received[0]?.headers.host).toBe(new URL(url).host);
  });

  it.each([
    [204, undefined],
    [301, "The receiver answered 301; redirects are not followed."],
    [404, "The receiver answered 404."],
    [500, "The receiver answered 500."],
  ])("treats an answer of %i as %s", async (status, error) => {
    const { url, received } = await openReceiver((response) => {
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    expect(await send({ url })).toEqual({ statusCode: status, error });
    expect(received).toHaveLength(1);
  });

  it("decides by status alone and does not wait for an endless answer", async () => {
    const { url } = await openReceiver((response) => {
      response.on("error", () => undefined);
      const write = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(write));
      };
      write();
    });
    expect(await send({ url })).toEqual({ statusCode: 200, error: undefined });
  });

  it("fails when no answer comes in time", async () => {
    const { url } = await openReceiver(() => undefined);
    expect(await send({ url }, { timeoutMs: 100 })).toEqual({
      statusCode: undefined,
      error: "The receiver did not answer within 0.1 seconds.",
    });
  });

  it("fails when the gate does not answer in time", async () => {
    const { promise } = Promise.withResolvers<never>();
    const sender = createSender({
      egress: { route: () => promise },
      userAgent: "Test/1",
      timeoutMs: 50,
    });
    const attempt = {
      url: "http://a.example/",
      headers: {},
      body: BODY,
      eventId: "e",
      attempt: 1,
      secret: "s",
    };
    expect(await sender(attempt)).toMatchObject({
      error: "The receiver did not answer within 0.05 seconds.",
    });
  });

  it("describes a refused or broken connection", async () => {
    const port = await openTcp((socket) => void socket.destroy());
    const broken = await send({ url: `http://127.0.0.1:${port}/` });
    expect(broken.error).toBe("The receiver closed the connection before it answered.");
    await egress?.close();
    await closeAll();
    const gone = await send({ url: `http://127.0.0.1:${port}/` });
    expect(gone).toEqual({ statusCode: undefined, error: "The receiver refused the connection." });
  });

  it("does not deliver to a private address", async () => {
    const { url, received } = await openReceiver();
    const outcome = await send({ url }, { allow: [] });
    expect(outcome.statusCode).toBeUndefined();
    expect(outcome.error).toContain("may not be reached from this server");
    expect(received).toEqual([]);
  });

  it("aborts when the server stops, without blaming the receiver", async () => {
    const stopping = new AbortController();
    const { url } = await openReceiver(() => stopping.abort(new Error("stopping")));
    await expect(send({ url }, { signal: stopping.signal })).rejects.toThrow("stopping");
  });
});
