// A web site of behaviours for tests: plain and TLS servers in this process on 127.0.0.1 with free
// ports.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Answer, Behaviour, Exchange } from "./behaviour.ts";
import { behaviours } from "./behaviours/index.ts";
import { createCertificate } from "./certificate.ts";
import { htmlPage } from "./html-page.ts";

export type RecordedRequest = {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly httpVersion: string;
  readonly server: "plain" | "secure" | "expired";
};

export type Site = {
  /** Base of plain URLs without a trailing slash. */
  readonly url: string;
  /** The same pages over TLS (HTTP/2 and 1.1) with a self-signed certificate. */
  readonly secureUrl: string;
  /** The same pages over TLS with an expired certificate. */
  readonly expiredUrl: string;
  /** The self-signed certificate of `secureUrl` as PEM, for clients that trust it. */
  readonly certificate: string;
  /** Every request in order of arrival. */
  readonly requests: RecordedRequest[];
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

const DAY_MS = 86_400_000;

/** Starts the site. The caller closes it with `close()` or `await using`. */
export async function startSite(): Promise<Site> {
  const requests: RecordedRequest[] = [];
  const counts = new Map<string, number>();
  const listen =
    (server: RecordedRequest["server"]) => (request: IncomingMessage, response: ServerResponse) => {
      const origin = `http://127.0.0.1:${(plain.address() as AddressInfo | null)?.port ?? 0}`;
      void serve(request, response, { server, origin, requests, counts });
    };
  const now = Date.now();
  const valid = createCertificate({
    from: new Date(now - DAY_MS),
    until: new Date(now + 30 * DAY_MS),
  });
  const past = createCertificate({
    from: new Date(now - 60 * DAY_MS),
    until: new Date(now - 30 * DAY_MS),
  });
  const plain = createServer(listen("plain"));
  // http2's compatibility objects replace those of http; only their common part is used.
  const secure = createSecureServer({ ...valid, allowHTTP1: true }, listen("secure") as never);
  const expired = createSecureServer({ ...past, allowHTTP1: true }, listen("expired") as never);
  const closers = [closer(plain), secureCloser(secure), secureCloser(expired)];
  const ports = await Promise.all([plain, secure, expired].map((server) => open(server)));
  const close = async (): Promise<void> => {
    await Promise.all(closers.map((shut) => shut()));
  };
  return {
    url: `http://127.0.0.1:${ports[0]}`,
    secureUrl: `https://127.0.0.1:${ports[1]}`,
    expiredUrl: `https://127.0.0.1:${ports[2]}`,
    certificate: valid.cert,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Context = {
  readonly server: RecordedRequest["server"];
  readonly origin: string;
  readonly requests: RecordedRequest[];
  readonly counts: Map<string, number>;
};

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const { method = "GET", url = "/", headers, httpVersion } = request;
  response.on("error", () => undefined);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const body = Buffer.concat(chunks).toString();
  context.requests.push({
    method,
    url,
    headers: { ...headers },
    body,
    httpVersion,
    server: context.server,
  });
  const { pathname, searchParams } = new URL(url, "http://site.invalid");
  const exchange: Exchange = {
    method,
    path: pathname,
    query: searchParams,
    headers,
    origin: context.origin,
    count: (name) => {
      const next = (context.counts.get(name) ?? 0) + 1;
      context.counts.set(name, next);
      return next;
    },
    response,
    respond: (answer) => respond(response, method, answer),
  };
  const behaviour = pathname === "/" ? FRONT_PAGE : (find(pathname) ?? NOT_FOUND);
  await behaviour.answer(exchange);
}

function respond(response: ServerResponse, method: string, answer: Answer): void {
  const { status = 200, type = "text/html; charset=utf-8", headers = {}, body = "" } = answer;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  response.writeHead(status, {
    ...(type === "" ? {} : { "content-type": type }),
    "content-length": String(bytes.length),
    ...headers,
  });
  response.end(method === "HEAD" ? undefined : bytes);
}

const exact = new Map(behaviours.map((behaviour) => [behaviour.path, behaviour]));
const openEnded = behaviours.filter(({ path }) => path.endsWith("/*"));

function find(path: string): Behaviour | undefined {
  return (
    exact.get(path) ?? openEnded.find((behaviour) => path.startsWith(behaviour.path.slice(0, -1)))
  );
}

const FRONT_PAGE: Behaviour = {
  path: "/",
  about: "the list of everything this site does",
  answer: ({ respond: send }) => {
    const items = behaviours.map(
      ({ path, about }) => `<li><a href="${path.replace("/*", "/")}">${path}</a>: ${about}</li>`,
    );
    send({
      body: htmlPage({
        title: "Front page",
        body: `<h1>Front page</h1><ul>${items.join("\n")}</ul>`,
      }),
    });
  },
};

const NOT_FOUND: Behaviour = {
  path: "",
  about: "anything else",
  answer: ({ respond: send }) => {
    const body = `<h1>Page not found</h1><p>We looked in every drawer of the archive, but this page is not there. It may have moved when the paper changed its system in 2019.</p>`;
    send({ status: 404, body: htmlPage({ title: "Not found", body }) });
  },
};

function open(server: Server | Http2SecureServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closer(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

function secureCloser(server: Http2SecureServer): () => Promise<void> {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<{ destroy: () => void }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("sessionError", () => undefined);
  server.on("tlsClientError", () => undefined);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    });
}
