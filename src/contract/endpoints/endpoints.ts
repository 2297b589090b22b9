// Every route, in matching order.
import { AGENT_ENDPOINTS } from "./agent.ts";
import { CHANGE_ENDPOINTS } from "./changes.ts";
import { EXTRACTOR_ENDPOINTS } from "./extractors.ts";
import { JOB_ENDPOINTS } from "./job.ts";
import { PAGE_ENDPOINTS } from "./page.ts";
import { SESSION_ENDPOINTS } from "./session.ts";
import { TEAM_ENDPOINTS } from "./team.ts";
import { V1_ENDPOINTS } from "./v1.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import type { Capability } from "../account/capabilities.ts";

export const ENDPOINTS: readonly Endpoint[] = [
  ...PAGE_ENDPOINTS,
  ...JOB_ENDPOINTS,
  ...EXTRACTOR_ENDPOINTS,
  ...CHANGE_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...AGENT_ENDPOINTS,
  ...TEAM_ENDPOINTS,
  ...V1_ENDPOINTS,
];

/**
 * Returns the entry of one route. Throws RangeError for an unknown one, which is a programming
 * error.
 */
export function findEndpoint(method: Method, path: string): Endpoint {
  const found = ENDPOINTS.find((entry) => entry.method === method && entry.path === path);
  if (found === undefined) throw new RangeError(`no endpoint ${method} ${path}`);
  return found;
}

/**
 * Routes of services that only the hosted API has, with any method. They answer 501 with a clear
 * text.
 */
export const HOSTED_PATHS = [
  "/v2/search/research",
  "/v2/search/research/*",
  "/v2/search/developer",
  "/v2/support/*",
  "/v2/team/threat-protection",
  "/v2/team/siem",
  "/v2/keyless/*",
  "/v2/exchange",
  "/v2/exchange/*",
  "/v2/mcp/action-logs",
  "/v2/slack/*",
] as const;

export type LegacyEndpoint = {
  readonly method: Method;
  readonly path: string;
  readonly capability: Capability;
  /** Undefined for services without a successor. */
  readonly replacement: string | undefined;
};

const defineLegacy = (
  capability: Capability,
  method: Method,
  path: string,
  replacement?: string,
): LegacyEndpoint => ({ method, path: `/v1${path}`, capability, replacement });

/** Routes that older clients call under /v1 and this server lacks. */
export const LEGACY_ENDPOINTS: readonly LegacyEndpoint[] = [
  defineLegacy("agent", "POST", "/deep-research", "/v2/search"),
  defineLegacy("agent", "GET", "/deep-research/:id", "/v2/search"),
];
