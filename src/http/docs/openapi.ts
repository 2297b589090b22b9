// Builds OpenAPI 3.1 from the contract's registry: one source for types, validation and
// documentation.
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Capability } from "../../contract/account/capabilities.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { ADMIN_ENDPOINTS, type AdminEndpoint } from "../../contract/endpoints/admin.ts";
import { ENDPOINTS } from "../../contract/endpoints/endpoints.ts";
import { toJsonSchema, type JsonObject } from "../../contract/endpoints/to-json-schema.ts";
import { errorBodySchema } from "../../contract/request/error-body.ts";
import { ERROR_CODES, type ErrorCode } from "../../contract/request/error-codes.ts";
import { PROGRESS_MEDIA } from "../../contract/page/progress.ts";
import { scrapeRequestSchema } from "../../contract/page/scrape.ts";
import { InternalError } from "../../errors.ts";
import { buildServerPaths, SERVER_TAG } from "./server-operations.ts";

type OpenApiDocument = JsonObject & { components: { schemas: JsonObject } & JsonObject };

export type ApiDescription = {
  readonly version: string;
  /** Reason for a missing capability; undefined for existing ones. */
  readonly missing: Partial<Record<Capability, string>>;
};

const LOCAL = "#/$defs/";
const SHARED = "#/components/schemas/";

const ERROR_BODY = toJsonSchema(errorBodySchema, "output");

const TAGS: Readonly<Record<string, string>> = {
  Scrape: "One page as Markdown, HTML, links, screenshots or data.",
  Parse: "Files as Markdown and data.",
  Search: "Search the web or what was scraped.",
  Map: "The URLs of a site.",
  Crawl: "Follow links from a URL and scrape each page.",
  Batch: "Scrape a list of URLs as one job.",
  Extract: "Structured data from several pages.",
  Jobs: "Jobs of all kinds: list and changes.",
  Agent: "From a prompt to data over many pages.",
  Interact: "Work in the live page of a scrape.",
  Browser: "Live browser sessions.",
  Monitor: "Watch pages for changes.",
  Feedback: "Say how good a result was.",
  Team: "Usage, limits and capabilities.",
  Admin: "Accounts, keys, settings and checks, for keys with the scope admin.",
  [SERVER_TAG]: "Metrics and health of the server, without a key.",
  V1: "The former version of the API, for older clients.",
};

/** Builds the document as a plain value, which takes tens of milliseconds. */
export function buildOpenApi(description: ApiDescription): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  const findRefusalReason = ({ capability, neverSucceeds }: Endpoint): string | undefined =>
    description.missing[capability] ?? neverSucceeds;
  const offered = ENDPOINTS.filter((endpoint) => findRefusalReason(endpoint) === undefined);
  for (const endpoint of [...offered, ...ADMIN_ENDPOINTS]) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
  const error = { "application/json": { schema: ERROR_BODY } };
  return hoistDefinitions({
    openapi: "3.1.0",
    info: {
      title: "Quarry",
      version: description.version,
      description: "Web pages, sites and files as clean Markdown and structured data.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    externalDocs: { description: "Guides", url: "/docs" },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    tags: [...new Set([...[...offered, ...ADMIN_ENDPOINTS].map(({ tag }) => tag), SERVER_TAG])].map(
      (name) => ({
        name,
        description: TAGS[name] ?? `Operations of ${name}.`,
      }),
    ),
    paths: { ...paths, ...buildServerPaths(error) },
    // Answered with an error only, mostly 501; listed separately.
    "x-not-available": ENDPOINTS.filter((endpoint) => !offered.includes(endpoint)).map(
      (endpoint) => ({
        operation: `${endpoint.method} ${endpoint.path}`,
        reason: findRefusalReason(endpoint),
      }),
    ),
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "An API key: Authorization: Bearer KEY.",
        },
      },
      schemas: {},
    },
  });
}

/**
 * Each schema was built on its own, with the named schemas it uses in its own $defs. References are
 * resolved from the document's root, so the definitions move to components/schemas.
 */
function hoistDefinitions(document: OpenApiDocument): OpenApiDocument {
  const schemas: JsonObject = {};
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    const { $defs, ...rest } = value as JsonObject;
    for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject)) {
      const moved = move(definition);
      if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], moved))
        throw new InternalError(`Two different schemas of the contract are called ${name}.`);
      schemas[name] = moved;
    }
    return Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [
        key,
        key === "$ref" && typeof part === "string" && part.startsWith(LOCAL)
          ? `${SHARED}${part.slice(LOCAL.length)}`
          : move(part),
      ]),
    );
  };
  const moved = move(document) as OpenApiDocument;
  return { ...moved, components: { ...moved.components, schemas } };
}

function describeOperation(endpoint: AdminEndpoint): JsonObject {
  const result: JsonObject = {
    tags: [endpoint.tag],
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[/:-](\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, "")}`,
    summary: endpoint.summary,
    responses: describeResponses(endpoint),
  };
  if (endpoint.deprecated !== undefined) {
    result["deprecated"] = true;
    result["description"] = `Use ${endpoint.deprecated.replacement}.`;
  }
  const parameters = [
    ...listParameters(endpoint.params, "path"),
    ...listParameters(endpoint.query, "query"),
  ];
  if (parameters.length > 0) result["parameters"] = parameters;
  const content = describeBody(endpoint);
  if (content !== undefined) result["requestBody"] = { required: true, content };
  return result;
}

function describeBody(endpoint: AdminEndpoint): JsonObject | undefined {
  const content: JsonObject = {};
  if (endpoint.body !== undefined) {
    const { example } = endpoint;
    const schema = toJsonSchema(endpoint.body, "input");
    content["application/json"] = { schema, ...(example === undefined ? {} : { example }) };
  }
  if (endpoint.upload === "raw")
    content["application/octet-stream"] = { schema: { type: "string", format: "binary" } };
  if (endpoint.upload === "multipart") {
    content["multipart/form-data"] = {
      schema: {
        type: "object",
        required: ["file"],
        properties: {
          file: { type: "string", format: "binary" },
          options: { type: "string", description: "The options as JSON text." },
        },
      },
    };
  }
  return Object.keys(content).length === 0 ? undefined : content;
}

function describeResponses(endpoint: AdminEndpoint): JsonObject {
  const error = { "application/json": { schema: ERROR_BODY } };
  return {
    "200": {
      description: "Success.",
      content: describeResponse(endpoint),
    },
    ...Object.fromEntries(
      [...listFailures(endpoint)].map(([status, description]) => [
        status,
        { description, content: error },
      ]),
    ),
  };
}

/** The error statuses of an endpoint and what each may mean. */
function listFailures(endpoint: AdminEndpoint): ReadonlyMap<string, string> {
  const { body, params, upload, method } = endpoint;
  const takesBody = body !== undefined || upload !== undefined;
  const isWork = method === "POST" && takesBody;
  const codes: ErrorCode[] = [
    ...ANYWHERE,
    ...(takesBody ? (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(params === undefined ? [] : (["NOT_FOUND"] as const)),
    ...(isWork ? (["UNSUPPORTED_SITE", "SCRAPE_TIMEOUT", "NOT_IMPLEMENTED"] as const) : []),
    ...(body === scrapeRequestSchema ? FROM_CACHE : []),
  ];
  const meanings = new Map<string, string>();
  for (const code of codes) {
    const { status, meaning } = ERROR_CODES[code];
    const before = meanings.get(String(status));
    meanings.set(String(status), before === undefined ? meaning : `${before} ${meaning}`);
  }
  return meanings;
}

const ANYWHERE: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "INSUFFICIENT_CREDITS",
  "FORBIDDEN",
  "RATE_LIMITED",
  "UNKNOWN_ERROR",
  "UNAVAILABLE",
];

const FROM_CACHE: readonly ErrorCode[] = ["SCRAPE_NO_CACHED_DATA", "SCRAPE_LOCKDOWN_CACHE_MISS"];

function describeResponse(endpoint: AdminEndpoint): JsonObject {
  const json = { "application/json": { schema: toJsonSchema(endpoint.response, "output") } };
  const streams = (endpoint.streams ?? []).map((media) => [media, { schema: { type: "string" } }]);
  return { ...json, ...Object.fromEntries(streams), ...describeLines(endpoint.lines) };
}

/**
 * OpenAPI 3.1 cannot describe a stream of JSON; JSON Schema can describe JSON in a string
 * (Validation, 8.5).
 */
function describeLines(line: z.ZodType | undefined): JsonObject {
  if (line === undefined) return {};
  const schema = {
    type: "string",
    description:
      "When Accept names it: JSON objects, one per line, as they become available. A failure before the first line is a normal error response.",
    contentMediaType: "application/json",
    contentSchema: toJsonSchema(line, "output"),
  };
  return { [PROGRESS_MEDIA]: { schema } };
}

function listParameters(schema: z.ZodType | undefined, place: "path" | "query"): JsonObject[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}
