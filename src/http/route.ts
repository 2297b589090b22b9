// Turns a route of the contract into a route of the server: authenticate, limit, validate, answer.
// The order of these steps is defined here only; the files in v2/ only build responses.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { z } from "zod";
import type { Identity } from "../account/identity.ts";
import type { RateLimiter, RequestKind } from "../account/rate.ts";
import { HOSTED_TEXT, type Endpoint } from "../contract/endpoints/endpoint.ts";
import { toErrorBody } from "../contract/request/faults.ts";
import { toPlainBody } from "../contract/request/form-body.ts";
import { InternalError, RequestError } from "../errors.ts";
import { getScope } from "../contract/account/scopes.ts";
import { buildDeprecationHeaders } from "./deprecation.ts";
import { getInsideSignal } from "./inside-fetch.ts";
import { UploadForm } from "./middleware/upload.ts";
import { assertScope, readBearerKey, createUnauthorizedError } from "./middleware/authenticate.ts";

export type Call<Body = unknown, Query = unknown, Params = unknown> = {
  readonly identity: Identity;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborts when the caller hangs up or the server stops. */
  readonly signal: AbortSignal;
};

/** Handles one endpoint and returns the body of a 200. */
// The registry's schemas and the handler's types are linked by name only, so the values arrive
// untyped.
// oxlint-disable-next-line typescript/no-explicit-any
export type Handler = (call: Call<any, any, any>) => Promise<unknown>;

/** Handlers by "METHOD /path" of the contract. */
export type Handlers = Readonly<Record<string, Handler>>;

export type Gatekeeper = {
  /**
   * Returns the owner of the key; undefined for an unknown one. Waits until the database is open.
   */
  readonly verify: (key: string) => Promise<Identity | undefined>;
  /** Returns the identity of everyone on a server without keys; undefined on one with keys. */
  readonly anonymous: (() => Promise<Identity>) | undefined;
  /**
   * Identity of the console session; undefined for requests without its cookie. Throws for a write
   * from another page.
   */
  readonly session?: (request: FastifyRequest) => Promise<Identity | undefined>;
  readonly rate: RateLimiter;
  /** Aborts work in progress when the server stops; its reason is returned to callers. */
  readonly stopping: AbortSignal;
};

export function formatEndpoint(endpoint: Pick<Endpoint, "method" | "path">): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Waiting for a job, or cancelling it, does not count toward the limit for starting work. */
const classifyRequest = ({ method, isWork }: Endpoint): RequestKind =>
  (method === "GET" || method === "DELETE") && isWork !== true ? "read" : "work";

/**
 * Registers one endpoint; without a handler it answers 501 with the given text. The key is checked
 * before the body is read.
 */
export function registerEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  gatekeeper: Gatekeeper,
  answer: Handler | string,
): void {
  server.route({
    method: endpoint.method as HTTPMethods,
    url: endpoint.path,
    config: { isAbsent: typeof answer === "string" },
    onRequest: async (request, reply) => {
      if (endpoint.deprecated !== undefined)
        reply.headers(buildDeprecationHeaders(endpoint.deprecated));
      const identity = await identify(request, gatekeeper);
      assertScope(identity, getScope(endpoint));
      if (typeof answer === "string") throw new RequestError("NOT_IMPLEMENTED", answer);
      await gatekeeper.rate.take(identity, classifyRequest(endpoint));
      identities.set(request, identity);
    },
    handler: async (request, reply) => {
      const identity = identities.get(request);
      if (identity === undefined || typeof answer === "string")
        throw new InternalError("A request reached its handler without authentication.");
      return await answer({
        identity,
        params: check(endpoint.params, request.params, endpoint),
        query: check(endpoint.query, request.query, endpoint),
        body: request.body instanceof UploadForm ? request.body : checkBody(endpoint, request.body),
        request,
        reply,
        signal: endSignal(reply, gatekeeper.stopping),
      });
    },
  });
}

/** The authenticated identity of each request. */
const identities = new WeakMap<FastifyRequest, Identity>();

/** Authenticates a request. Throws UNAUTHORIZED. */
export async function identify(request: FastifyRequest, gatekeeper: Gatekeeper): Promise<Identity> {
  if (request.headers.authorization === undefined) {
    const signedIn = await gatekeeper.session?.(request);
    if (signedIn !== undefined) return signedIn;
  }
  if (gatekeeper.anonymous !== undefined) return await gatekeeper.anonymous();
  const identity = await gatekeeper.verify(readBearerKey(request.headers.authorization));
  if (identity === undefined) throw createUnauthorizedError("Unauthorized: Invalid token");
  return identity;
}

function checkBody(endpoint: Endpoint, body: unknown): unknown {
  const { hostedKeys = [] } = endpoint;
  if (
    typeof body === "object" &&
    body !== null &&
    hostedKeys.some((key) => Object.hasOwn(body, key))
  )
    throw new RequestError("NOT_IMPLEMENTED", HOSTED_TEXT);
  return check(endpoint.body, toPlainBody(body), endpoint);
}

function check(schema: z.ZodType | undefined, value: unknown, endpoint: Endpoint): unknown {
  if (schema === undefined) return undefined;
  const checked = schema.safeParse(schema === endpoint.body ? value : (value ?? {}));
  if (checked.success) return checked.data;
  const fault = toErrorBody(checked.error, endpoint.faultText, endpoint.unknownKeyText, {
    schema,
    value,
  });
  throw new RequestError(fault.code, fault.error, { details: fault.details });
}

/** Validates input that a handler reads directly, with the same errors as bodies. */
export function checkAgainst<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const fault = toErrorBody(checked.error, undefined, undefined, { schema, value });
  throw new RequestError(fault.code, fault.error, { details: fault.details });
}

/** Aborts when the connection ends before the response was sent, and when the server stops. */
export function endSignal(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const caller = getInsideSignal();
  const stop = (): void => controller.abort(stopping.reason);
  const hangUp = (): void => {
    stopping.removeEventListener("abort", stop);
    caller?.removeEventListener("abort", hangUp);
    if (reply.raw.writableFinished) return;
    controller.abort(new RequestError("SCRAPE_JOB_CANCELLED", "The caller closed the connection."));
  };
  // Neither event repeats: the caller may have left, or the server begun to stop, while key and
  // body were read.
  if (reply.raw.destroyed || reply.raw.closed || caller?.aborted === true) hangUp();
  else if (stopping.aborted) stop();
  else {
    stopping.addEventListener("abort", stop, { once: true });
    caller?.addEventListener("abort", hangUp, { once: true });
    reply.raw.once("close", hangUp);
  }
  return controller.signal;
}
