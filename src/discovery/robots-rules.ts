// robots.txt (RFC 9309): parses octets to groups, selects an agent's rules, and decides on a URL.
// Pure.
import { toComparable } from "./robots-address.ts";
import { readLines, type Line } from "./robots-lines.ts";
import { matchesPath, parsePathPattern, type PathPattern } from "./robots-pattern.ts";

export type RobotsRule = {
  readonly allow: boolean;
  /** `Disallow: /private`, as written. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly pattern: PathPattern;
};

/** Consecutive agents and the rules after them. */
type Group = {
  readonly agents: Set<string>;
  readonly rules: RobotsRule[];
  /** Crawl-delay in seconds by agent; applies to the agents named before it. */
  readonly delays: Map<string, number>;
  /** Agents without a Crawl-delay so far. */
  undelayed: string[];
};

export type RobotsFile = {
  /** The groups of each agent token (lower case; "*" for all others), in order. */
  readonly groups: ReadonlyMap<string, readonly Group[]>;
  /** Sitemap addresses as written, in order, once each. */
  readonly sitemaps: readonly string[];
};

/** Rules of a robots.txt for one agent. */
export type AgentRules = {
  /** In order of precedence: longest first, allow before disallow on a tie. */
  readonly rules: readonly RobotsRule[];
  /**
   * Indices in `rules`, in order, by path prefix, whose length is the largest fitting one of
   * PREFIX_LENGTHS.
   */
  readonly byPrefix: ReadonlyMap<string, readonly number[]>;
  readonly crawlDelaySeconds: number | undefined;
};

export type RobotsDecision = {
  readonly allowed: boolean;
  /** The deciding rule; undefined if none matches. */
  readonly rule: RobotsRule | undefined;
};

/**
 * Parses any robots.txt and skips unknown lines. Only the first 500 KiB count (RFC 9309 section
 * 2.5). Linear time.
 */
export function parseRobots(body: Uint8Array | string): RobotsFile {
  const groups = new Map<string, Group[]>();
  const sitemaps = new Set<string>();
  let current: Group | undefined;
  let takesAgents = false;
  for (const line of readLines(body)) {
    switch (line.key) {
      case "user-agent":
        if (current === undefined || !takesAgents)
          current = { agents: new Set(), rules: [], delays: new Map(), undelayed: [] };
        takesAgents = true;
        addAgent(groups, current, readAgentToken(line.value));
        break;
      case "allow":
      case "disallow":
        takesAgents = false;
        if (current !== undefined) addRule(current, line);
        break;
      case "crawl-delay":
        if (current !== undefined) addDelay(current, line.value);
        break;
      case "sitemap":
        if (line.value !== "") sitemaps.add(toText(line.value));
        break;
    }
  }
  return { groups, sitemaps: [...sitemaps] };
}

/**
 * Returns the merged rules of all groups that name the agent, else those of a shorter name
 * (news-bot-images, news-bot, news), else those for all others.
 */
export function selectRules({ groups }: RobotsFile, agent: string): AgentRules {
  let token = readAgentToken(agent);
  while (token !== "" && !groups.has(token))
    token = token.slice(0, Math.max(0, token.lastIndexOf("-")));
  const key = token === "" ? "*" : token;
  const own = groups.get(key) ?? [];
  const rules = own.flatMap((group) => group.rules).toSorted(compareByPrecedence);
  const byPrefix = new Map<string, number[]>();
  for (const [place, { pattern }] of rules.entries()) {
    const [start = ""] = pattern.parts;
    const length = PREFIX_LENGTHS.findLast((one) => one <= start.length) ?? 0;
    const places = byPrefix.get(start.slice(0, length));
    if (places === undefined) byPrefix.set(start.slice(0, length), [place]);
    else places.push(place);
  }
  const delays = own.map((group) => group.delays.get(key));
  return { rules, byPrefix, crawlDelaySeconds: delays.find((seconds) => seconds !== undefined) };
}

/** Speeds up decisions with thousands of rules: only rules whose prefix the path has are tested. */
const PREFIX_LENGTHS = [0, 1, 2, 4, 8, 16, 32];

/** Decides by the longest matching rule; allow wins ties. /robots.txt itself is always allowed. */
export function decideRobots(rules: AgentRules, url: URL): RobotsDecision {
  return decidePath(rules, url.pathname, url.search);
}

/**
 * Decides on a URL and its variant with a trailing slash (wire contract 5.6), because `Disallow:
 * /private/` is meant for `/private` too. The longest rule of both wins, so `Allow: /private$`
 * still applies. A last segment with an extension is a file and has no such variant.
 */
export function decideWithSlash(rules: AgentRules, url: URL): RobotsDecision {
  const decision = decideRobots(rules, url);
  if (!decision.allowed || rules.rules.length === 0) return decision;
  const { pathname, search } = url;
  if (pathname.endsWith("/") || pathname.includes(".", pathname.lastIndexOf("/"))) return decision;
  const other = decidePath(rules, `${pathname}/`, search);
  const isNamed = (decision.rule?.pattern.length ?? 0) >= (other.rule?.pattern.length ?? 0);
  return other.allowed || isNamed ? decision : other;
}

function decidePath(agentRules: AgentRules, pathname: string, search: string): RobotsDecision {
  const { rules, byPrefix } = agentRules;
  if (rules.length === 0 || pathname === "/robots.txt") return { allowed: true, rule: undefined };
  const path = toComparable(pathname + search);
  let best = rules.length;
  for (const length of PREFIX_LENGTHS) {
    if (length > path.length) break;
    for (const place of byPrefix.get(path.slice(0, length)) ?? []) {
      if (place >= best) break;
      const pattern = rules[place]?.pattern;
      if (pattern !== undefined && matchesPath(pattern, path)) best = place;
    }
  }
  const rule = rules[best];
  return { allowed: rule?.allow ?? true, rule };
}

/**
 * Returns the product token of an agent in lower case: "ServiceAgent/1.0 (+https://…)" gives
 * "serviceagent". RFC 9309 allows letters, "_" and "-"; digits and dots are accepted too, because
 * real agents use them.
 */
function readAgentToken(agent: string): string {
  const written = agent.trim();
  if (/^\*(?:\s|$)/.test(written)) return "*";
  return (/^[\w.-]+/.exec(written)?.[0] ?? "").toLowerCase();
}

function addAgent(groups: Map<string, Group[]>, group: Group, token: string): void {
  if (token === "" || group.agents.has(token)) return;
  group.agents.add(token);
  group.undelayed.push(token);
  const known = groups.get(token);
  if (known === undefined) groups.set(token, [group]);
  else known.push(group);
}

function addRule(group: Group, { key, value, number }: Line): void {
  const pattern = parsePathPattern(value);
  if (pattern === undefined) return;
  const allow = key === "allow";
  const text = `${allow ? "Allow" : "Disallow"}: ${toText(value).slice(0, 200)}`;
  group.rules.push({ allow, text, line: number, pattern });
}

function addDelay(group: Group, value: string): void {
  const seconds = Number(value);
  if (value === "" || !Number.isFinite(seconds) || seconds < 0) return;
  for (const agent of group.undelayed) group.delays.set(agent, seconds);
  group.undelayed = [];
}

function compareByPrecedence(one: RobotsRule, other: RobotsRule): number {
  return (
    other.pattern.length - one.pattern.length ||
    Number(other.allow) - Number(one.allow) ||
    one.line - other.line
  );
}

const toText = (octets: string): string => Buffer.from(octets, "latin1").toString("utf8");
