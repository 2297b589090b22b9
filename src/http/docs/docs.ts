import type { FastifyInstance } from "fastify";
import { sendCompressed } from "../compress.ts";
import { RequestError } from "../../errors.ts";
import { createLazy } from "../../runtime/lazy.ts";
import { serveGuides } from "./guides/serve-guides.ts";
import { buildOpenApi, type ApiDescription } from "./openapi.ts";
import { selectPath } from "./select-path.ts";

/**
 * Allows nothing external and no upgrade of URLs to https: the pages must work offline and over
 * plain HTTP in a local network.
 */
const CONTENT_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self'",
  "font-src 'self' data:",
].join("; ");

type OpenApi = ReturnType<typeof buildOpenApi>;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="140" height="40" viewBox="0 0 140 40"><text x="2" y="29" font-family="sans-serif" font-size="26" font-weight="bold" fill="#fff">Quarry</text></svg>`;

/**
 * Serves /openapi.json, the guides at /docs and the API reference at /docs/api; built on first
 * request, all offline.
 */
export function serveDocs(server: FastifyInstance, description: ApiDescription): void {
  let built: WeakRef<OpenApi> | undefined;
  /** Large and rarely read, so it is kept only until memory is collected. */
  const readDocument = (): OpenApi => {
    const document = built?.deref() ?? buildOpenApi(description);
    built = new WeakRef(document);
    return document;
  };
  const pages = createLazy(async () => await createPages(readDocument()));
  for (const url of ["/openapi.json", "/docs/json"])
    server.get(url, async (request, reply) => {
      const { path } = request.query as { readonly path?: unknown };
      const document = readDocument();
      const found = typeof path === "string" ? selectPath(document, path) : document;
      reply.type("application/json; charset=utf-8");
      return await sendCompressed(request, reply, JSON.stringify(found));
    });
  serveGuides(server);
  for (const url of ["/docs/api", "/docs/api/*"]) {
    server.get(url, async (request, reply) => {
      const answer = await (
        await pages()
      ).inject({ method: "GET", url: request.url, headers: request.headers });
      if (answer.statusCode >= 400) throw new RequestError("NOT_FOUND", NO_SUCH_PAGE);
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined && !CONNECTION_HEADERS.has(name)) reply.header(name, value);
      return await reply.code(answer.statusCode).send(answer.rawPayload);
    });
  }
  server.addHook("onClose", async () => {
    if (pages.started()) await (await pages()).close();
  });
}

const NO_SUCH_PAGE = "There is no such page below /docs/api; start at /docs/api.";

const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** A separate server that never listens: its parts take longer to load than most of the rest. */
async function createPages(document: OpenApi): Promise<FastifyInstance> {
  const [{ fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import("fastify"),
    import("@fastify/swagger"),
    import("@fastify/swagger-ui"),
  ]);
  const server = fastify();
  await server.register(swagger, {
    openapi: { openapi: "3.1.0" },
    transformObject: () => document as never,
  });
  await server.register(swaggerUi, {
    routePrefix: "/docs/api",
    uiConfig: { docExpansion: "list", persistAuthorization: true, tryItOutEnabled: true },
    staticCSP: CONTENT_POLICY,
    logo: { type: "image/svg+xml", content: LOGO },
    theme: { title: "Quarry API" },
  });
  return server;
}
