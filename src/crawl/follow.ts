// What a crawl makes of the links of a page: each is judged once, by scope, robots.txt as far as it is known, and the brake
// for traps, and goes to the frontier with its fate or to be fetched.
import type { RobotsStore } from "../discovery/robots.ts";
import { pageLinkAt, type PageLinks } from "../html/links/page-links.ts";
import type { FoundUrl, LeasedPage } from "../store/jobs/frontier.ts";
import { hashIdentity } from "../url/identity.ts";
import { judgeUrl, linkDepth, type Candidate, type Judgement, type Scope } from "../url/scope.ts";
import { markSent, PASSED, type WorkJob } from "./work-job.ts";

export type PageMarks = {
  /** Pages of one group in a row that led here; 0 when missing. */
  readonly chain?: number;
  /** Where the start URL turned out to be, when that is another place. */
  readonly home?: string;
  /** The start URL matches no include pattern: its links are followed, itself is no result. */
  readonly hidden?: boolean;
  /** A page of another site. */
  readonly external?: boolean;
  /** Known from an earlier crawl alone: its links are not followed. */
  readonly earlier?: boolean;
  /** The Authorization header that a user name in the URL stands for. */
  readonly authorization?: string;
};

export type Objection = (url: URL) => string | undefined;

/** What is known of robots.txt without fetching: hosts met for the first time are asked before their first page. */
export function knownObjection(robots: RobotsStore, job: WorkJob, agent: string): Objection {
  if (job.kept.crawl?.ignoreRobotsTxt === true) return () => undefined;
  return (url) => {
    const verdict = robots.decideKnown(url, agent);
    return verdict === undefined || verdict.allowed ? undefined : verdict.reason;
  };
}

/** Hosts that cannot be reached forbid nothing here: their pages fail in their turn, with that as the reason. */
export function exceptDead(robots: RobotsStore, objection: Objection): Objection {
  return (url) => (robots.known(url)?.state === "unreachable" ? undefined : objection(url));
}

/** The links of `page` for the frontier; those that went there before are left out. */
export function followLinks(
  job: WorkJob,
  page: LeasedPage,
  pageUrl: URL,
  found: PageLinks,
  home: string | undefined,
  robots: Objection,
): Omit<FoundUrl, "parent">[] {
  const scope = job.scope(home);
  const marks = page.marks as PageMarks;
  const links: Omit<FoundUrl, "parent">[] = [];
  const depthCounts = typeof scope.rules.maxDiscoveryDepth === "number";
  // What one page may not lead to, another may whose home or site is another.
  const context = `${marks.external === true ? "external " : ""}${home === undefined ? "" : `${home} `}`;
  for (let index = 0; index < found.urls.length; index++) {
    const link = pageLinkAt(found, index);
    const depth = linkDepth(link.kind, page.depth);
    const sentAs = `${context}${link.url}`;
    const sentDepth = job.sent.get(sentAs);
    if (sentDepth !== undefined && (sentDepth === PASSED || sentDepth <= depth)) continue;
    const candidate: Candidate = {
      url: link.url,
      depth,
      source: "link",
      fromExternal: marks.external === true,
      text: link.text,
    };
    const judgement = judgeUrl(candidate, scope, robots);
    markSent(job, sentAs, judgement.accepted && !depthCounts ? PASSED : depth);
    links.push(
      judgement.accepted
        ? brake(job, judgement, pageUrl, marks, { depth, home, depthCounts })
        : toFound(judgement, depth, "link"),
    );
  }
  return links;
}

function brake(
  job: WorkJob,
  judgement: Judgement & { readonly accepted: true },
  parent: URL,
  { chain: parentChain = 0 }: PageMarks,
  {
    depth,
    home,
    depthCounts,
  }: {
    readonly depth: number;
    readonly home: string | undefined;
    readonly depthCounts: boolean;
  },
): Omit<FoundUrl, "parent"> {
  const url = new URL(judgement.url);
  const { chain, reason } = job.brake.judge({ url, parent, parentChain });
  const marks: PageMarks = {
    ...(chain > 0 ? { chain } : {}),
    ...(home === undefined ? {} : { home }),
    ...(judgement.reach === "external" ? { external: true } : {}),
  };
  const judged = toFound(judgement, depth, "link", marks);
  const found = depthCounts ? { ...judged, depthCounts } : judged;
  return reason === undefined ? found : { ...found, refused: { fate: "trap", reason } };
}

/** A judged URL as the frontier takes it. */
export function toFound(
  judgement: Judgement,
  depth: number,
  source: FoundUrl["source"],
  marks: PageMarks = {},
): FoundUrl {
  const { url } = judgement;
  return {
    identity: hashIdentity(judgement.identity),
    url,
    host: URL.parse(url)?.host ?? "",
    depth,
    source,
    ...(source === "sitemap" ? { depthCounts: true } : {}),
    ...(Object.keys(marks).length === 0 ? {} : { marks }),
    ...(judgement.accepted ? {} : { refused: { fate: judgement.fate, reason: judgement.reason } }),
  };
}

/** The scope's word on where a page was redirected to. */
export function judgeTarget(
  scope: Scope,
  target: string,
  page: LeasedPage,
  robots: Objection,
): Judgement {
  const marks = page.marks as PageMarks;
  return judgeUrl(
    {
      url: target,
      depth: page.depth,
      source: "redirect",
      // An external page may redirect within its site: it was allowed by name, not by its links.
      fromExternal: false,
    },
    marks.external === true
      ? { ...scope, rules: { ...scope.rules, allowExternalLinks: true } }
      : scope,
    robots,
  );
}
