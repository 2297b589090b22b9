import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { buildOpenApi, type ApiDescription } from "./openapi.ts";

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
    staticCSP: true,
    theme: { title: "Quarry API" },
  });
  server.get("/openapi.json", { schema: { hide: true } }, async () => load());
}
