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

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="140" height="40" viewBox="0 0 140 40"><text x="2" y="29" font-family="sans-serif" font-size="26" font-weight="bold" fill="#fff">Quarry</text></svg>`;

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
    logo: { type: "image/svg+xml", content: LOGO },
    theme: { title: "Quarry API" },
  });
  server.get("/openapi.json", { schema: { hide: true } }, async () => load());
}
