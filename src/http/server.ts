// Builds the HTTP server: hooks, errors, the contract's routes, documentation, health, metrics.
import cors from "@fastify/cors";
import { fastify, LogController, type FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Capability } from "../contract/account/capabilities.ts";
import { HOSTED_TEXT } from "../contract/endpoints/endpoint.ts";
import { ENDPOINTS, HOSTED_PATHS, LEGACY_ENDPOINTS } from "../contract/endpoints/endpoints.ts";
import { LIMITS } from "../contract/request/limits.ts";
import { InternalError, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { UploadReferences } from "../scrape/upload-references.ts";
import { measureAcceptDelay } from "./accept-delay.ts";
import type { Console } from "./console/create-console.ts";
import { buildDeprecationHeaders } from "./deprecation.ts";
import { serveDocs } from "./docs/docs.ts";
import type { EarlyListener } from "./early-listener.ts";
import { serveHealth, type Check } from "./health.ts";
import { readBodies } from "./middleware/body.ts";
import { refuseUnknownRoutes } from "./middleware/unknown-route.ts";
import { traceRequests } from "./middleware/trace.ts";
import { readUploads } from "./middleware/upload.ts";
import { measureRequests } from "./middleware/measure.ts";
import { onError, onFrameworkError } from "./middleware/on-error.ts";
import { guardOrigin } from "./middleware/origin-guard.ts";
import { chooseRequestId, returnRequestId } from "./middleware/request-id.ts";
import { checkAddresses } from "./middleware/storable-text.ts";
import {
  formatEndpoint,
  identify,
  registerEndpoint,
  type Gatekeeper,
  type Handlers,
} from "./route.ts";
import { serveLive, type LiveParts } from "./websockets/live.ts";
import { serveMcp } from "./mcp.ts";
import { serveReader, type ReaderParts } from "./reader/reader.ts";
import { receiveUploads } from "./v2/uploads.ts";
import type { Watch } from "./websockets/watch.ts";
import { serveWatches } from "./websockets/watch-upgrade.ts";

/** The server as the rest of the program sees it. */
export type HttpServer = FastifyInstance;

export type ServerParts = {
  readonly config: Config;
  /** The listener, which the server closes. */
  readonly listener: EarlyListener;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly gatekeeper: Gatekeeper;
  readonly handlers: Handlers;
  /** Reason why a capability of the contract is missing here. */
  readonly missing: Partial<Record<Capability, string>>;
  readonly checks: readonly Check[];
  /** Follows jobs over WebSocket; without it an upgrade is answered as a plain request. */
  readonly watch?: Watch;
  /** Serves live sessions. */
  readonly live?: LiveParts;
  /** Serves agents and readers: MCP, and pages by plain GET. */
  readonly reader?: ReaderParts;
  /** Serves the web interface and identifies its sessions. */
  readonly console?: Console;
  /** Accepts files that are parsed later. */
  readonly uploads?: UploadReferences;
  /** Additional routes, such as key management. */
  readonly extend?: (server: FastifyInstance) => void;
};

/** Creates the server without listening. The creator closes it. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, metrics, gatekeeper, handlers, missing } = parts;
  const server = fastify({
    loggerInstance: parts.log.child({}) as never,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => chooseRequestId(request.headers["x-request-id"]),
    trustProxy: config.trustProxy,
    // The ten-second default would also apply to isClosing, where `shutdownMs` limits requests.
    pluginTimeout: 0,
    bodyLimit: LIMITS.requestBodyBytes,
    routerOptions: { maxParamLength: 500 },
    // The contract validates input; own compilers keep the framework from loading its two.
    schemaController: {
      compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas },
    },
    frameworkErrors: onFrameworkError,
    // The listener owns the connection limits and answers invalid requests.
    serverFactory: () => parts.listener.server,
    clientErrorHandler: () => undefined,
  }) as unknown as FastifyInstance;
  closeWhenLeaving(server);
  returnRequestId(server);
  traceRequests(server);
  measureRequests(server, metrics);
  if (!config.auth) guardOrigin(server);
  checkAddresses(server);
  readBodies(server);
  readUploads(server, UPLOAD_PATHS);
  server.setErrorHandler(onError);
  refuseUnknownRoutes(server);
  // Keys are sent in a header that foreign pages do not have, so any origin may call; without keys
  // none may.
  if (config.auth)
    await server.register(cors, {
      origin: "*",
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposedHeaders: ["x-request-id", "retry-after"],
    });

  serveHealth(server, parts.checks);
  serveDocs(server, { version: parts.version, missing });
  serveMetrics(server, metrics);
  serveSmallRoutes(server);
  if (parts.console === undefined)
    server.get("/", async (_request, reply) => reply.redirect("/docs"));
  else parts.console.serve(server);
  for (const endpoint of ENDPOINTS) {
    if (endpoint.upload === "raw" && parts.uploads !== undefined) {
      receiveUploads(server, endpoint, parts.uploads);
      continue;
    }
    registerEndpoint(
      server,
      endpoint,
      gatekeeper,
      handlers[formatEndpoint(endpoint)] ?? explainMissing(endpoint.capability, missing),
    );
  }
  serveRefusals(server, gatekeeper, missing);
  if (parts.watch !== undefined)
    serveWatches(server, { watch: parts.watch, gatekeeper, log: parts.log });
  if (parts.live !== undefined) serveLive(server, parts.live);
  if (parts.reader !== undefined) {
    serveMcp(server, { config, gatekeeper, log: parts.log });
    serveReader(server, parts.reader, gatekeeper);
  }
  parts.extend?.(server);
  // After the hooks that close WebSockets.
  const endMeasuring = measureAcceptDelay(parts.listener.server, metrics);
  server.addHook("preClose", async () => {
    endMeasuring();
    await parts.listener.close();
  });
  return server;
}

const rejectSchemas = (): never => {
  throw new InternalError("A route defines a framework schema; define it in the contract instead.");
};

const UPLOAD_PATHS: ReadonlySet<string> = new Set(
  ENDPOINTS.filter(({ upload }) => upload === "multipart").map(({ path }) => path),
);

const explainMissing = (capability: Capability, missing: ServerParts["missing"]): string =>
  missing[capability] ??
  `${capability} is not supported by this version of the server; GET /v2/capabilities lists what is.`;

/** Routes of /v1 and of the hosted service that clients know: a clear 501 instead of a 404. */
function serveRefusals(
  server: FastifyInstance,
  gatekeeper: Gatekeeper,
  missing: ServerParts["missing"],
): void {
  const refuse = (
    method: string | string[],
    url: string,
    reason: string,
    deprecation?: { readonly replacement: string | undefined },
  ): void => {
    server.route({
      method: method as never,
      url,
      config: { isAbsent: true },
      onRequest: async (request, reply) => {
        if (deprecation !== undefined) reply.headers(buildDeprecationHeaders(deprecation));
        await identify(request, gatekeeper);
        throw new RequestError("NOT_IMPLEMENTED", reason);
      },
      handler: async () => undefined,
    });
  };
  for (const { method, path, capability, replacement } of LEGACY_ENDPOINTS) {
    const reason = "This server does not offer this service of the old API.";
    refuse(method, path, missing[capability] ?? reason, { replacement });
  }
  for (const path of HOSTED_PATHS) {
    refuse(["GET", "POST", "PUT", "PATCH", "DELETE"], path, HOSTED_TEXT);
  }
}

/**
 * Requests that finish while the server closes end their connection: keep-alive would delay the
 * shutdown.
 */
function closeWhenLeaving(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook("preClose", async () => {
    isClosing = true;
  });
  server.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
}

function serveMetrics(server: FastifyInstance, metrics: Metrics): void {
  server.get("/metrics", async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return await metrics.registry.metrics();
  });
}

function serveSmallRoutes(server: FastifyInstance): void {
  server.get("/e2e-test", async (_request, reply) => reply.type("text/plain").send("OK"));
  server.get("/is-production", async () => ({ isProduction: true }));
}
