// Judges the links of a page once each by scope, known robots.txt rules and the spider-trap
// detector, then sends them to the frontier as queued or refused.
import type { RobotsStore } from "../../discovery/robots.ts";
import { getPageLink, type PageLinks } from "../../html/links/page-links.ts";
import type { FoundUrl, LeasedPage } from "../../store/jobs/frontier.ts";
import { hashIdentity } from "../../url/identity.ts";
import {
  judgeUrl,
  computeLinkDepth,
  type Candidate,
  type Judgement,
  type Scope,
} from "../../url/scope.ts";
import { markSent, ACCEPTED_STATUS, type WorkerJob } from "../worker-jobs.ts";

export type PageMarks = {
  /** Consecutive pages of one URL group that led here; default 0. */
  readonly chain?: number;
  /** Final URL of the start page, if it was redirected. */
  readonly home?: string;
  /** The start URL matches no include pattern: its links are followed, but it is not a result. */
  readonly hidden?: boolean;
  /** The page is on another site. */
  readonly external?: boolean;
  /** Known from an earlier crawl only: its links are not followed. */
  readonly earlier?: boolean;
  /** The Authorization header built from the user name in the URL. */
  readonly authorization?: string;
};

export type UrlCheck = (url: URL) => string | undefined;

/** Checks cached robots.txt only. The robots.txt of a new host is fetched before its first page. */
export function checkCachedRobots(robots: RobotsStore, job: WorkerJob, agent: string): UrlCheck {
  if (job.options.crawl?.ignoreRobotsTxt === true) return () => undefined;
  return (url) => {
    const verdict = robots.decideCached(url, agent);
    return verdict === undefined || verdict.allowed ? undefined : verdict.reason;
  };
}

/**
 * Ignores the objection of unreachable hosts here: their pages fail later with that as the reason.
 */
export function ignoreUnreachable(robots: RobotsStore, objection: UrlCheck): UrlCheck {
  return (url) => (robots.known(url)?.state === "unreachable" ? undefined : objection(url));
}

/** Returns the links of `page` for the frontier, without those sent before. */
export function followLinks(
  job: WorkerJob,
  page: LeasedPage,
  pageUrl: URL,
  found: PageLinks,
  home: string | undefined,
  robots: UrlCheck,
): Omit<FoundUrl, "parent">[] {
  const scope = job.scope(home);
  const marks = page.marks as PageMarks;
  const links: Omit<FoundUrl, "parent">[] = [];
  const depthCounts = typeof scope.rules.maxDiscoveryDepth === "number";
  // The verdict depends on the home and on whether the page is external.
  const context = `${marks.external === true ? "external " : ""}${home === undefined ? "" : `${home} `}`;
  for (let index = 0; index < found.urls.length; index++) {
    const link = getPageLink(found, index);
    const depth = computeLinkDepth(link.kind, page.depth);
    const sentAs = `${context}${link.url}`;
    const sentDepth = job.sent.get(sentAs);
    if (sentDepth !== undefined && (sentDepth === ACCEPTED_STATUS || sentDepth <= depth)) continue;
    const candidate: Candidate = {
      url: link.url,
      depth,
      source: "link",
      fromExternal: marks.external === true,
      text: link.text,
    };
    const judgement = judgeUrl(candidate, scope, robots);
    markSent(job, sentAs, judgement.accepted && !depthCounts ? ACCEPTED_STATUS : depth);
    links.push(
      judgement.accepted
        ? getTrapDetector(job, judgement, pageUrl, marks, { depth, home, depthCounts })
        : toFound(judgement, depth, "link"),
    );
  }
  return links;
}

function getTrapDetector(
  job: WorkerJob,
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
  const { chain, reason } = job.trapDetector.judge({ url, parent, parentChain });
  const marks: PageMarks = {
    ...(chain > 0 ? { chain } : {}),
    ...(home === undefined ? {} : { home }),
    ...(judgement.reach === "external" ? { external: true } : {}),
  };
  const judged = toFound(judgement, depth, "link", marks);
  const found = depthCounts ? { ...judged, depthCounts } : judged;
  return reason === undefined ? found : { ...found, refused: { fate: "trap", reason } };
}

/** Converts a judged URL to a frontier entry. */
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

/** Applies the scope to the target of a redirect. */
export function judgeTarget(
  scope: Scope,
  target: string,
  page: LeasedPage,
  robots: UrlCheck,
): Judgement {
  const marks = page.marks as PageMarks;
  return judgeUrl(
    {
      url: target,
      depth: page.depth,
      source: "redirect",
      // An external page may redirect within its site. It was allowed by URL, not as a link of an
      // external page.
      fromExternal: false,
    },
    marks.external === true
      ? { ...scope, rules: { ...scope.rules, allowExternalLinks: true } }
      : scope,
    robots,
  );
}
