import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { buildOpenApi, type ApiDescription } from "./openapi.ts";

/**
 * Nothing from elsewhere, and no rewriting of addresses to https: the pages must work on a machine without network and
 * over plain HTTP in a local one.
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

/** /openapi.json and the browsable pages at /docs; both made from the contract, both offline. */
export async function serveDocs(
  server: FastifyInstance,
  description: ApiDescription,
): Promise<void> {
  let document: ReturnType<typeof buildOpenApi> | undefined;
  const load = (): ReturnType<typeof buildOpenApi> => (document ??= buildOpenApi(description));
  await server.register(swagger, {
    openapi: { openapi: "3.1.0" },
    transformObject: () => load() as never,
  });
  await server.register(swaggerUi, {
    routePrefix: "/docs",
    uiConfig: { docExpansion: "list", persistAuthorization: true, tryItOutEnabled: true },
    staticCSP: CONTENT_POLICY,
    theme: { title: "Quarry API" },
  });
  server.get("/openapi.json", { schema: { hide: true } }, async () => load());
}
