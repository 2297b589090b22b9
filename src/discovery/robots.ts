// robots.txt of every host in a crawl, each fetched once. An unreachable file forbids everything
// for a while, a missing one forbids nothing (RFC 9309 section 2.3.1).
import {
  decideWithSlash,
  parseRobots,
  selectRules,
  type AgentRules,
  type RobotsFile,
} from "./robots-rules.ts";

export type FetchedText = {
  /** Status of the final response, after redirects. */
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
};

export type RobotsOptions = {
  /**
   * Fetches a robots.txt, at least its first 500 KiB, following at least five redirects. Rejects if
   * the host is unreachable.
   */
  readonly fetchText: (url: string) => Promise<FetchedText>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Policy for a host whose robots.txt returns 5xx or nothing. Defaults to "disallow" (RFC 9309).
   */
  readonly whenUnreachable?: "disallow" | "allow";
};

export type HostRobots = {
  readonly origin: string;
  /**
   * found: its rules apply. missing: 4xx, or the response is not a robots.txt. unreachable: 5xx or
   * no response.
   */
  readonly state: "found" | "missing" | "unreachable";
  /** Reason as text: "404", "HTML instead of robots.txt". */
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly file: RobotsFile;
};

export type RobotsVerdict =
  | { readonly allowed: true; readonly crawlDelaySeconds: number | undefined }
  | {
      readonly allowed: false;
      /** Reason for the ledger: `line 12: Disallow: /private`. */
      readonly reason: string;
      readonly crawlDelaySeconds: number | undefined;
    };

export type RobotsStore = {
  /**
   * Returns the robots.txt for a URL, fetched by one request at a time and cached until it expires.
   * Never rejects.
   */
  readonly load: (url: URL) => Promise<HostRobots>;
  /** Returns a loaded robots.txt that has not expired. */
  readonly known: (url: URL) => HostRobots | undefined;
  /** Decides whether the agent may fetch the URL. Loads robots.txt if needed. */
  readonly decide: (url: URL, agent: string) => Promise<RobotsVerdict>;
  /** Same, from the cache only; undefined if nothing is cached. */
  readonly decideCached: (url: URL, agent: string) => RobotsVerdict | undefined;
};

const HOUR_MS = 3_600_000;
const FOUND_TTL_MS = 24 * HOUR_MS;
const MISSING_TTL_MS = HOUR_MS;
const UNREACHABLE_TTL_MS = 60_000;
const MAX_HOSTS = 2_000;

const NOTHING: RobotsFile = { groups: new Map(), sitemaps: [] };

type Entry = { readonly robots: HostRobots; readonly byAgent: Map<string, AgentRules> };

/** Creates a cache of robots.txt by origin. The oldest entries are evicted first. */
export function createRobots(options: RobotsOptions): RobotsStore {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();

  const peek = (url: URL): Entry | undefined => {
    const entry = entries.get(url.origin);
    return entry === undefined || entry.robots.expiresAt <= options.now() ? undefined : entry;
  };
  const fetchEntry = async (origin: string): Promise<Entry> => {
    const robots = await fetchRobots(origin, options);
    const entry = { robots, byAgent: new Map<string, AgentRules>() };
    entries.delete(origin);
    entries.set(origin, entry);
    const oldest = entries.keys().next();
    if (entries.size > MAX_HOSTS && oldest.done !== true) entries.delete(oldest.value);
    return entry;
  };
  const load = (url: URL): Promise<Entry> => {
    const known = peek(url);
    if (known !== undefined) return Promise.resolve(known);
    const { origin } = url;
    const running = loading.get(origin);
    if (running !== undefined) return running;
    const started = fetchEntry(origin).finally(() => loading.delete(origin));
    loading.set(origin, started);
    return started;
  };
  const judge = (entry: Entry, url: URL, agent: string): RobotsVerdict => {
    const { robots, byAgent } = entry;
    if (robots.state === "unreachable") {
      return options.whenUnreachable === "allow"
        ? { allowed: true, crawlDelaySeconds: undefined }
        : {
            allowed: false,
            reason: `robots.txt cannot be read (${robots.reason})`,
            crawlDelaySeconds: undefined,
          };
    }
    const rules = byAgent.get(agent) ?? selectRules(robots.file, agent);
    if (byAgent.size < 20) byAgent.set(agent, rules);
    const { crawlDelaySeconds } = rules;
    const { allowed, rule } = decideWithSlash(rules, url);
    return allowed
      ? { allowed, crawlDelaySeconds }
      : { allowed, reason: `line ${rule?.line}: ${rule?.text}`, crawlDelaySeconds };
  };

  return {
    load: async (url) => (await load(url)).robots,
    known: (url) => peek(url)?.robots,
    decide: async (url, agent) => judge(await load(url), url, agent),
    decideCached: (url, agent) => {
      const entry = peek(url);
      return entry === undefined ? undefined : judge(entry, url, agent);
    },
  };
}

async function fetchRobots(origin: string, options: RobotsOptions): Promise<HostRobots> {
  const outcome = await fetchOutcome(origin, options.fetchText);
  const keptMs = { found: FOUND_TTL_MS, missing: MISSING_TTL_MS, unreachable: UNREACHABLE_TTL_MS };
  return { origin, ...outcome, expiresAt: options.now() + keptMs[outcome.state] };
}

type Outcome = Pick<HostRobots, "state" | "reason" | "file">;

async function fetchOutcome(
  origin: string,
  fetchText: RobotsOptions["fetchText"],
): Promise<Outcome> {
  let fetched: FetchedText;
  try {
    fetched = await fetchText(`${origin}/robots.txt`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no answer";
    return { state: "unreachable", reason, file: NOTHING };
  }
  const { status } = fetched;
  // Unlike other 4xx, 429 means that the host has a robots.txt and will return it later.
  if (status >= 500 || status === 429)
    return { state: "unreachable", reason: `${status}`, file: NOTHING };
  if (status < 200 || status >= 300)
    return { state: "missing", reason: `${status}`, file: NOTHING };
  const other = findOtherKind(fetched);
  return other === undefined
    ? { state: "found", reason: `${status}`, file: parseRobots(fetched.body) }
    : { state: "missing", reason: `${other} instead of robots.txt`, file: NOTHING };
}

/**
 * Returns the kind of a response that is not a robots.txt. Sites answer any address with their home
 * page or an error object.
 */
function findOtherKind({ contentType, body }: FetchedText): string | undefined {
  const start = Buffer.from(body.subarray(0, 256))
    .toString("latin1")
    .replace(/^\xEF\xBB\xBF/, "");
  const opening = start.trimStart();
  if (/^<(?:!doctype|html|head|body|!--)/i.test(opening)) return "HTML";
  if (opening.startsWith("<?xml")) return "XML";
  if (/^[{[]/.test(opening)) return "JSON";
  // Many servers mislabel plain text, so the label counts only if the content looks like markup.
  return /html|xml|json/i.test(contentType) && opening.startsWith("<") ? "HTML" : undefined;
}
