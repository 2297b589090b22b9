// A fake server with the job routes, for code that reads jobs in client/ and src/cli/.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { Document } from "../src/contract/page/document.ts";

export const JOB_ID = "0199f0c0-0000-7000-8000-000000000001";

export const buildDocument = (number: number): Document => ({
  markdown: `# Page ${number}`,
  metadata: { sourceURL: `http://site.test/${number}`, statusCode: 200 },
});

export type FakeJob = {
  finished: number;
  status: string;
  /** True if each read of the status finishes another page, and the last one the job. */
  grows: boolean;
  /** Queries of the reads so far. */
  readonly reads: string[];
  readonly statusOf: (url: URL) => object;
};

/** A job of `total` pages. */
export function buildJob(total: number, finished = 0): FakeJob {
  const job: FakeJob = {
    finished,
    status: "scraping",
    grows: true,
    reads: [],
    statusOf: (url) => {
      job.reads.push(url.search);
      const skip = Number(url.searchParams.get("skip") ?? 0);
      const limit = Number(url.searchParams.get("limit") ?? 100);
      const end = Math.min(job.finished, skip + limit);
      const data = [];
      for (let number = skip; number < end; number++) data.push(buildDocument(number));
      const hasMore = job.status === "scraping" || end < job.finished;
      const body = {
        success: true,
        id: JOB_ID,
        status: job.status,
        total,
        completed: job.finished,
        creditsUsed: job.finished,
        createdAt: "2026-11-21T10:00:00.000Z",
        expiresAt: "2026-11-22T10:00:00.000Z",
        data,
        ...(hasMore ? { next: `http://site.test/?skip=${skip + data.length}` } : {}),
      };
      if (job.grows && job.finished < total) job.finished += 1;
      else if (job.finished === total) job.status = "completed";
      return body;
    },
  };
  return job;
}

/**
 * Returns the response; `undefined` means that the route has answered itself, or does not answer.
 */
export type Route = (url: URL, response: ServerResponse, method: string) => object | undefined;

export type JobServer = AsyncDisposable & {
  readonly url: string;
  /** Method and URL of each call in order. */
  readonly calls: string[];
  readonly bodies: unknown[];
  readonly idempotencyKeys: unknown[];
  /** Offered subprotocols. */
  readonly protocols: string[];
};

/** Listens on a free port; with `watch` it accepts WebSockets. The caller disposes it. */
export async function startJobServer(
  route: Route,
  watch?: (socket: WebSocket) => void,
): Promise<JobServer> {
  const seen = { calls: [], bodies: [], idempotencyKeys: [], protocols: [] } as {
    calls: string[];
    bodies: unknown[];
    idempotencyKeys: unknown[];
    protocols: string[];
  };
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    seen.calls.push(`${method} ${url}`);
    seen.idempotencyKeys.push(request.headers["x-idempotency-key"]);
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      seen.bodies.push(text === "" ? undefined : JSON.parse(text));
      const body = route(new URL(url, "http://server.test"), response, method);
      if (body === undefined) return;
      const code = (body as { status?: unknown }).status;
      response.writeHead(typeof code === "number" ? code : 200, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(body));
    });
  });
  const sockets =
    watch === undefined
      ? undefined
      : new WebSocketServer({
          server,
          handleProtocols: ([first]) => {
            seen.protocols.push(first ?? "");
            return first ?? false;
          },
        }).on("connection", watch);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets?.clients ?? []) socket.terminate();
      sockets?.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
