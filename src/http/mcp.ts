// The MCP endpoint: Streamable HTTP with the same keys as the API. Requests are stateless, so any
// process may answer.
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { QuarryClient } from "../../client/client.ts";
import type { Fetch } from "../../client/transport.ts";
import { ConfigError, type Config } from "../config.ts";
import { RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { createInsideFetch } from "./inside-fetch.ts";
import { readBearerKey } from "./middleware/authenticate.ts";
import { checkMcpOrigin } from "./middleware/mcp-origin.ts";
import { identify, type Gatekeeper } from "./route.ts";

type Parts = {
  readonly config: Pick<Config, "publicUrl" | "mcpOrigins">;
  readonly gatekeeper: Gatekeeper;
  readonly log: Logger;
};

/** Serves `/mcp`; `?tools=` names tools or groups. */
export function serveMcp(server: FastifyInstance, { config, gatekeeper, log }: Parts): void {
  const fetch = createInsideFetch(server);
  const handlers = new Map<string, McpHttpHandler>();

  async function findHandler(given: unknown): Promise<McpHttpHandler> {
    // Loaded on the first request: it needs a 20 MB tokenizer that most servers do not use.
    const [{ createMcpHandler }, { createMcpServer, selectTools }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("../mcp/create-mcp-server.ts"),
    ]);
    const tools = runAsRequestError(() =>
      selectTools(typeof given === "string" ? given : undefined),
    );
    const names = tools.map(({ name }) => name).join();
    const found = handlers.get(names);
    if (found !== undefined) return found;
    const made = createMcpHandler(
      ({ authInfo, requestInfo }) => {
        const apiKey = authInfo?.token;
        return createMcpServer(
          new QuarryClient({
            fetch: withSignal(fetch, requestInfo?.signal),
            ...(apiKey === undefined ? {} : { apiKey }),
          }),
          tools,
        );
      },
      { onerror: (error) => log.debug({ err: error }, "MCP request failed") },
    );
    handlers.set(names, made);
    return made;
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { tools } = request.query as { readonly tools?: unknown };
    const handler = await findHandler(tools);
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const token =
      gatekeeper.anonymous === undefined ? readBearerKey(request.headers.authorization) : "";
    const response = await handler.fetch(toWebRequest(request, gone.signal), {
      ...(token === "" ? {} : { authInfo: { token, clientId: "", scopes: [] } }),
      ...(request.body === undefined ? {} : { parsedBody: request.body }),
    });
    reply.code(response.status).headers(Object.fromEntries(response.headers));
    if (response.body === null) return await reply.send();
    return await reply.send(Readable.fromWeb(response.body as WebStream));
  }

  server.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    onRequest: async (request) => {
      checkMcpOrigin(request.headers, config);
      await identify(request, gatekeeper);
    },
    handler: answer,
  });
  server.addHook("onClose", async () => {
    await Promise.all([...handlers.values()].map((handler) => handler.close()));
  });
}

/** Also ends with `signal`: a 2025 client cancels only by closing its request. */
const withSignal =
  (fetch: Fetch, signal: AbortSignal | undefined): Fetch =>
  async (url, init) =>
    await fetch(url, {
      ...init,
      signal: AbortSignal.any([init.signal, signal].filter((one) => one instanceof AbortSignal)),
    });

function runAsRequestError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigError) throw new RequestError("BAD_REQUEST", error.message);
    throw error;
  }
}

function toWebRequest(
  { method, url, headers, body }: FastifyRequest,
  signal: AbortSignal,
): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === "content-length" ? [] : [[name, String(value)]],
  );
  return new Request(new URL(url, "http://localhost"), {
    method,
    headers: given,
    signal,
    ...(method === "POST" ? { body: JSON.stringify(body ?? null) } : {}),
  });
}
