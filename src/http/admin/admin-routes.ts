// Registers routes of the operator from their rows in the contract: guard, check, answer.
import type { FastifyInstance, HTTPMethods } from "fastify";
import { ADMIN_ENDPOINTS } from "../../contract/endpoints/admin.ts";
import { InternalError } from "../../errors.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { checkAgainst, formatEndpoint } from "../route.ts";

export type AdminCall<Body = unknown, Query = unknown, Params = unknown> = {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
};

// The schemas of the rows and the handler's types are linked by name only, as in route.ts.
// oxlint-disable-next-line typescript/no-explicit-any
type AdminHandler = (call: AdminCall<any, any, any>) => Promise<object | undefined>;

/** The result of a handler is `data` of the reply; undefined leaves it out. */
export function registerAdminRoutes(
  server: FastifyInstance,
  guard: AdminGuard,
  handlers: Readonly<Record<string, AdminHandler>>,
): void {
  for (const [name, handle] of Object.entries(handlers)) {
    const endpoint = ADMIN_ENDPOINTS.find((row) => formatEndpoint(row) === name);
    if (endpoint === undefined) throw new InternalError(`The contract has no route ${name}.`);
    const { method, path, params, query, body } = endpoint;
    server.route({
      method: method as HTTPMethods,
      url: path,
      onRequest: guard,
      handler: async (request) => {
        const data = await handle({
          params: params === undefined ? undefined : checkAgainst(params, request.params),
          query: query === undefined ? undefined : checkAgainst(query, request.query ?? {}),
          body: body === undefined ? undefined : checkAgainst(body, request.body ?? undefined),
        });
        return { success: true, ...(data === undefined ? {} : { data }) };
      },
    });
  }
}
