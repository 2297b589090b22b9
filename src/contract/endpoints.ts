// Every route under /v2, in the order in which routes have to be matched.
import { AGENT_ENDPOINTS } from "./endpoints-agent.ts";
import { JOB_ENDPOINTS } from "./endpoints-job.ts";
import { PAGE_ENDPOINTS } from "./endpoints-page.ts";
import { SESSION_ENDPOINTS } from "./endpoints-session.ts";
import { TEAM_ENDPOINTS } from "./endpoints-team.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import type { Capability } from "./capabilities.ts";

export const ENDPOINTS: readonly Endpoint[] = [
  ...PAGE_ENDPOINTS,
  ...JOB_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...AGENT_ENDPOINTS,
  ...TEAM_ENDPOINTS,
];

/** The entry of one route. Throws a RangeError when there is none, which is a mistake in this program. */
export function findEndpoint(method: Method, path: string): Endpoint {
  const found = ENDPOINTS.find((entry) => entry.method === method && entry.path === path);
  if (found === undefined) throw new RangeError(`no endpoint ${method} ${path}`);
  return found;
}

/** Routes of services that only the hosted API has; any method. They answer 501 with a clear text. */
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
  /** False for services that stay unanswered. */
  readonly adapted: boolean;
};

const legacy = (
  capability: Capability,
  method: Method,
  path: string,
  adapted = true,
): LegacyEndpoint => ({ method, path: `/v1${path}`, capability, adapted });

/** The frozen /v1 that older clients call. */
export const LEGACY_ENDPOINTS: readonly LegacyEndpoint[] = [
  legacy("scrape", "POST", "/scrape"),
  legacy("scrape", "GET", "/scrape/:id"),
  legacy("search", "POST", "/search"),
  legacy("map", "POST", "/map"),
  legacy("crawl", "POST", "/crawl"),
  legacy("crawl", "GET", "/crawl/active"),
  legacy("crawl", "GET", "/crawl/ongoing"),
  legacy("crawl", "GET", "/crawl/:id"),
  legacy("crawl", "DELETE", "/crawl/:id"),
  legacy("crawl", "GET", "/crawl/:id/errors"),
  legacy("batch", "POST", "/batch/scrape"),
  legacy("batch", "GET", "/batch/scrape/:id"),
  legacy("batch", "DELETE", "/batch/scrape/:id"),
  legacy("batch", "GET", "/batch/scrape/:id/errors"),
  legacy("extract", "POST", "/extract"),
  legacy("extract", "GET", "/extract/:id"),
  legacy("team", "GET", "/concurrency-check"),
  legacy("team", "GET", "/team/credit-usage"),
  legacy("team", "GET", "/team/token-usage"),
  legacy("team", "GET", "/team/credit-usage/historical"),
  legacy("team", "GET", "/team/token-usage/historical"),
  legacy("team", "GET", "/team/queue-status"),
  legacy("agent", "POST", "/deep-research", false),
  legacy("agent", "GET", "/deep-research/:id", false),
  legacy("crawl", "POST", "/llmstxt", false),
  legacy("crawl", "GET", "/llmstxt/:id", false),
];
