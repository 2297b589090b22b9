// Decides which URLs a crawl may enter, with the reason (wire contract 5.4). Pure: robots.txt is
// injected as a check.
import type { Fate } from "../contract/jobs/ledger.ts";
import { findUnfollowedExtension, isSitemapPath } from "./file-type.ts";
import { toCrawlUrl, toIdentity, type IdentityRules } from "./identity.ts";
import { isLogout } from "./logout.ts";
import { compilePatterns, type UrlPatterns } from "./patterns.ts";
import { computeReach, findSocialSite, type Reach } from "./site.ts";

export type ScopeRules = IdentityRules & {
  readonly startUrl: string;
  /** The start URL after redirects. */
  readonly movedTo?: string | undefined;
  readonly includePaths?: readonly string[];
  readonly excludePaths?: readonly string[];
  readonly regexOnFullURL?: boolean;
  /** Maximum hops from the start URL; unlimited if undefined or null. */
  readonly maxDiscoveryDepth?: number | null | undefined;
  readonly crawlEntireDomain?: boolean;
  readonly allowSubdomains?: boolean;
  readonly allowExternalLinks?: boolean;
  /** True if the crawl is logged in and must stay so. */
  readonly avoidLogout?: boolean;
  /** Returns false for hosts that the crawl's owner must not fetch. */
  readonly allowsHost?: ((url: URL) => boolean) | undefined;
};

/** The compiled rules of one crawl. */
export type Scope = {
  readonly rules: ScopeRules;
  /** Home origin of the crawl. */
  readonly origin: URL;
  /** Required path prefix; "/" for the whole site. */
  readonly basePath: string;
  readonly include: UrlPatterns;
  readonly exclude: UrlPatterns;
  /** Cached facts about hosts. */
  readonly hosts: Map<string, HostFacts>;
};

type HostFacts = { readonly reach: Reach; readonly social: string | undefined };

export type Candidate = {
  /** Absolute. */
  readonly url: string;
  /** Hops from the start; 0 for the start URL and for sitemap entries. */
  readonly depth: number;
  readonly source: "start" | "link" | "sitemap" | "redirect";
  /** Found on a page of another site. */
  readonly fromExternal?: boolean;
  /** Text of the link. */
  readonly text?: string;
};

export type Judgement = AcceptedUrl | RefusedUrl;

export type AcceptedUrl = {
  readonly accepted: true;
  /** To be fetched. */
  readonly url: string;
  readonly identity: string;
  readonly reach: Reach;
  /**
   * False for a start URL that patterns exclude: its links are followed, but it is not a result.
   */
  readonly inResults: boolean;
};

export type RefusedUrl = {
  readonly accepted: false;
  readonly url: string;
  readonly identity: string;
  readonly fate: Extract<Fate, "scope" | "depth" | "robots" | "fileType">;
  /** The refusing rule, for the ledger: `excludePaths[2] "/tag/"`. */
  readonly reason: string;
};

/**
 * Returns the robots.txt rule against a URL, such as `line 12: Disallow: /private`, or undefined if
 * none or not loaded yet.
 */
export type RobotsObjection = (url: URL) => string | undefined;

const MAX_HOSTS = 5_000;

/**
 * Compiles the rules of a crawl. Throws a SyntaxError for a pattern and a TypeError for a start URL
 * that the contract rejects.
 */
export function compileScope(rules: ScopeRules): Scope {
  const start = new URL(rules.startUrl);
  const moved = rules.movedTo === undefined ? null : URL.parse(rules.movedTo);
  const onFullUrl = rules.regexOnFullURL === true;
  return {
    rules,
    origin: moved ?? start,
    basePath: findBasePath(start, moved),
    include: compilePatterns("includePaths", rules.includePaths ?? [], onFullUrl),
    exclude: compilePatterns("excludePaths", rules.excludePaths ?? [], onFullUrl),
    hosts: new Map(),
  };
}

/**
 * Returns the path that the start URL means, without index file or sitemap. A start that redirects
 * below its own path (`/docs` to `/docs/intro`) keeps its path; one that redirects elsewhere
 * (`/docs` to `/en/docs/`) takes the new one.
 */
function findBasePath(start: URL, moved: URL | null): string {
  const path = readDirectory(start.pathname);
  return moved === null || moved.pathname.startsWith(path) ? path : readDirectory(moved.pathname);
}

const readDirectory = (pathname: string): string =>
  isSitemapPath(pathname)
    ? pathname.slice(0, pathname.lastIndexOf("/") + 1)
    : pathname.replace(/\/index\.(?:html|php)$/i, "/");

/** Judges one URL. The first refusal wins, in the contract's order. */
export function judgeUrl(
  candidate: Candidate,
  scope: Scope,
  robots: RobotsObjection = () => undefined,
): Judgement {
  const url = URL.parse(candidate.url);
  if (url === null) {
    const written = candidate.url.slice(0, 2_048);
    return refuse(written, written, "scope", "not a URL");
  }
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  const address = isWeb ? toCrawlUrl(url, scope.rules) : url.href;
  const identity = isWeb ? toIdentity(url, scope.rules) : url.href;
  if (!isWeb)
    return refuse(address, identity, "scope", `links of ${url.protocol} are not followed`);
  if (scope.rules.allowsHost?.(url) === false)
    return refuse(
      address,
      identity,
      "scope",
      `the key may not fetch ${url.hostname}: not followed`,
    );
  const { reach, social } = describeHost(url, scope);
  const refusal =
    candidate.source === "start"
      ? findRobotsRefusal(url, robots)
      : (findHostRefusal(candidate, url, reach, social, scope) ??
        findDepthRefusal(candidate, scope) ??
        findPathRefusal(url, address, reach, scope) ??
        findRobotsRefusal(url, robots) ??
        findFileTypeRefusal(url));
  if (refusal !== undefined) return refuse(address, identity, refusal.fate, refusal.reason);
  const inResults = candidate.source !== "start" || isWanted(url, address, scope);
  return { accepted: true, url: address, identity, reach, inResults };
}

/** The scope rules. `never` always applies. */
export type ScopeRule = "path" | "include" | "exclude" | "subdomain" | "external" | "never";

const RULES: readonly (readonly [RegExp, ScopeRule])[] = [
  [/not below \S+ \(crawlEntireDomain\)$/, "path"],
  [/matches none of includePaths$/, "include"],
  [/excludePaths\[\d+\] /, "exclude"],
  [/\(allowSubdomains\)$/, "subdomain"],
  [/\(allowExternalLinks\)$|homepage of another site/, "external"],
  [/not followed$|looks like a logout|not a URL$/, "never"],
];

/**
 * Returns the rule in a refusal's reason, also after a redirect, or undefined if it is not a scope
 * rule.
 */
export function findScopeRule(reason: string): ScopeRule | undefined {
  return RULES.find(([pattern]) => pattern.test(reason))?.[1];
}

/**
 * Returns the depth of a link on a page at `depth` (wire contract 5.4): one more. A refresh is a
 * redirect and adds nothing. rel=next adds one, because manuals chain all pages with it, which
 * would bypass maxDiscoveryDepth.
 */
export function computeLinkDepth(kind: string, depth: number): number {
  return kind === "refresh" ? depth : depth + 1;
}

type Refusal = Pick<RefusedUrl, "fate" | "reason">;

function refuse(
  url: string,
  identity: string,
  fate: RefusedUrl["fate"],
  reason: string,
): RefusedUrl {
  return { accepted: false, url, identity, fate, reason };
}

function describeHost(url: URL, scope: Scope): HostFacts {
  const known = scope.hosts.get(url.host);
  if (known !== undefined) return known;
  const reach = computeReach(url, scope.origin);
  const facts = { reach, social: reach === "external" ? findSocialSite(url) : undefined };
  if (scope.hosts.size < MAX_HOSTS) scope.hosts.set(url.host, facts);
  return facts;
}

function findHostRefusal(
  candidate: Candidate,
  url: URL,
  reach: Reach,
  social: string | undefined,
  { rules }: Scope,
): Refusal | undefined {
  const scope = (reason: string): Refusal => ({ fate: "scope", reason });
  if (candidate.fromExternal === true)
    return scope("found on a page of another site, whose links are not followed");
  if (rules.avoidLogout === true && isLogout(url, candidate.text))
    return scope("looks like a logout, and the crawl may be logged in");
  if (reach === "site" || (reach === "subdomain" && rules.allowSubdomains === true))
    return undefined;
  if (social !== undefined) return scope(`links to ${social} are not followed`);
  if (rules.allowExternalLinks !== true)
    return scope(
      reach === "subdomain"
        ? `${url.host} is another host of the domain (allowSubdomains)`
        : `${url.host} is another site (allowExternalLinks)`,
    );
  const isHome = url.pathname === "/" && url.search === "" && !url.hash.includes("/");
  return isHome ? scope(`the homepage of another site, ${url.host}`) : undefined;
}

function findDepthRefusal(candidate: Candidate, { rules }: Scope): Refusal | undefined {
  const max = rules.maxDiscoveryDepth ?? Number.POSITIVE_INFINITY;
  if (candidate.depth <= max) return undefined;
  return { fate: "depth", reason: `depth ${candidate.depth}, maxDiscoveryDepth ${max}` };
}

function findPathRefusal(
  url: URL,
  address: string,
  reach: Reach,
  scope: Scope,
): Refusal | undefined {
  const excluded = scope.exclude.match(url, address);
  if (excluded !== undefined) return { fate: "scope", reason: excluded };
  if (scope.include.size > 0 && scope.include.match(url, address) === undefined)
    return { fate: "scope", reason: "matches none of includePaths" };
  if (reach !== "site" || scope.rules.crawlEntireDomain === true) return undefined;
  const isBelow = url.pathname.startsWith(scope.basePath) || `${url.pathname}/` === scope.basePath;
  if (isBelow) return undefined;
  return { fate: "scope", reason: `not below ${scope.basePath} (crawlEntireDomain)` };
}

function findRobotsRefusal(url: URL, robots: RobotsObjection): Refusal | undefined {
  const reason = robots(url);
  return reason === undefined ? undefined : { fate: "robots", reason };
}

function findFileTypeRefusal(url: URL): Refusal | undefined {
  const extension = findUnfollowedExtension(url.pathname);
  return extension === undefined ? undefined : { fate: "fileType", reason: extension };
}

function isWanted(url: URL, address: string, { include, exclude }: Scope): boolean {
  if (exclude.match(url, address) !== undefined) return false;
  return include.size === 0 || include.match(url, address) !== undefined;
}
