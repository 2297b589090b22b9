// The browser engine: loads a URL with its scripts, and captures what only a live page has.
import { recordSpan } from "../telemetry/tracing.ts";
import {
  warnIncomplete,
  type BlockedRequest,
  type Capture,
  type CaptureEvidence,
} from "../capture.ts";
import type { Slots } from "../account/slots.ts";
import type { Identity } from "../account/identity.ts";
import type { ContextRequest, BrowserPool, Lease } from "../browser/pool.ts";
import type { Sharing } from "../browser/shared-pages.ts";
import { AdLists } from "../browser/blocking/ad-lists.ts";
import { isAdHost } from "../browser/blocking/ad-hosts.ts";
import { buildInitialState, readContextState } from "../browser/context/context-state.ts";
import {
  NotAPageSignal,
  visit,
  type EvidenceOptions,
  type VisitRequest,
  type VisitResult,
} from "../browser/page/visit.ts";
import type { Config } from "../config.ts";
import type { Profile } from "../contract/session/profile.ts";
import type { Deadline } from "../deadline.ts";
import type { UpstreamProxy } from "../egress/upstream-proxy.ts";
import { QuarryError, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { getListsFolder } from "../store/database/data-folder.ts";
import type { ProfileHolder, ProfileLoan, ProfileStore } from "../store/accounts/profiles.ts";
import { hasUserinfo } from "../url/userinfo.ts";
import { readAddress } from "./browser-address.ts";
import { translateBrowserError } from "./browser-errors.ts";
import type { Engine, Outcome } from "./engine.ts";
import { downloadTarget } from "./follow-download.ts";
import type { MayRedirect } from "./http.ts";

export type BrowserFetch = Pick<
  VisitRequest,
  "waitForMs" | "actions" | "scroll" | "blockAds" | "mayVisit"
> &
  EvidenceOptions & {
    /** http or https; a user name and password become Basic authorization on its origin. */
    readonly url: string;
    /** The caller's headers; sent to the origin of `url` only. */
    readonly headers: Readonly<Record<string, string>>;
    readonly languages: readonly string[];
    /** Lowercase code; sets language and time zone. */
    readonly country: string | undefined;
    readonly mobile: boolean;
    readonly skipTlsVerification: boolean;
    readonly proxy: UpstreamProxy | undefined;
    readonly proxyUsed: Capture["proxyUsed"];
    /** Looks like a browser with a window, without our own name. */
    readonly enhanced: boolean;
    readonly mayRedirect: MayRedirect | undefined;
    /** Saved state to start from and optionally to update. */
    readonly profile?: Profile | undefined;
    /** The holder of the profile, if not the identity. */
    readonly holder?: ProfileHolder | undefined;
    /** The identity that queues for a free page. */
    readonly identity: Identity;
    /** Timeout of the whole request; at most two thirds are spent waiting for a free page. */
    readonly timeoutMs: number;
  };

export type BrowserEngineParts = {
  readonly pool: () => Promise<BrowserPool>;
  /** Concurrent pages. */
  readonly slots: Slots;
  /** Undefined when this process stores nothing. */
  readonly profiles?: (() => Promise<ProfileStore>) | undefined;
  readonly config: Pick<
    Config,
    "dataDir" | "userAgent" | "maxBodyBytes" | "forceTlsVerification" | "browserIsolation"
  >;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
};

/** A page loads images, styles and scripts: its total limit is this many times that of one body. */
const PAGE_BYTES_FACTOR = 3;

/** Creates the engine. The pool is opened with the first fetch. */
export function createBrowserEngine(parts: BrowserEngineParts): Engine<BrowserFetch> {
  const { config, log, metrics, now = Date.now } = parts;
  /** Lists the operator downloaded, in addition to our own short list of hosts. */
  const adLists = new AdLists(getListsFolder(config), log);

  const fetch = async (request: BrowserFetch, deadline: Deadline): Promise<Outcome> => {
    try {
      const { url, headers, userAgent, warnings } = readAddress(request);
      using slot = await parts.slots.acquire(request.identity, {
        timeoutMs: request.timeoutMs,
        signal: deadline.signal,
      });
      const pool = await deadline.race(parts.pool());
      const context = buildContextRequest(request, userAgent, config);
      const adRules = request.blockAds ? await adLists.getCurrent() : undefined;
      let lease: Lease | undefined;
      let visited: VisitResult;
      const askedAt = Date.now();
      try {
        await using loan = await borrowProfile(parts, request, deadline);
        const begin = { ...context, ...buildInitialState(loan?.state) };
        const sharing = resolveSharing(parts, request, begin);
        const load = async (opened: Lease): Promise<VisitResult> => {
          lease = opened;
          recordSpan("browser.open", { startedAt: askedAt });
          const seen = await visit(
            opened.page,
            {
              ...request,
              url: url.href,
              headers,
              adRules,
              openWorld: opened.openWorld,
              hasInvalidCertificate: opened.hasInvalidCertificate,
              isTextOnly: isTextOnly(request),
              maxCharacters: config.maxBodyBytes,
            },
            deadline,
          );
          await saveProfileState(loan, opened, warnings);
          return seen;
        };
        visited = await pool.use(begin, deadline, load, sharing);
      } catch (error) {
        if (error instanceof NotAPageSignal) return { kind: "unsuitable", missing: error.message };
        throw translateBrowserError(error, { url, lane: lease?.lane, deadline });
      }
      metrics.fetchedBytes.inc(lease?.lane.bytes() ?? 0);
      if (lease?.lane.overflowed() === true)
        warnings.push(warnIncomplete("The page exceeded the size limit and was truncated"));
      await assertNavigationAllowed(request, visited, deadline);
      const version = lease?.context.browser()?.version();
      const capture = {
        ...toCapture(request, visited, warnings, now()),
        ...(version === undefined ? {} : { renderedBy: describeRendering(version, lease) }),
        rendering: { ...visited.rendering, blocked: listBlocked(visited, lease) },
      };
      const leadsTo = downloadTarget(request, visited);
      return {
        kind: "captured",
        capture,
        ...(slot.limited ? { queuedMs: slot.waitedMs } : {}),
        ...(leadsTo === undefined ? {} : { leadsTo }),
      };
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      log.debug({ code: error.code, reason: error.message }, "a page failed in the browser");
      return { kind: "failed", error };
    }
  };
  return { name: "browser", fetch };
}

/**
 * True if nobody sees the pictures of the page. An enhanced page loads them, as sites may check.
 */
const isTextOnly = ({ screenshot, probes = [], actions, enhanced }: BrowserFetch): boolean =>
  screenshot === undefined && probes.length === 0 && actions.length === 0 && !enhanced;

/** Lists what the page did not get, with the hosts that its lane refused. */
function listBlocked({ blocked }: VisitResult, lease: Lease | undefined): BlockedRequest[] {
  for (const [host, count] of lease?.lane.blocked() ?? []) blocked.add("tracker", host, count);
  return blocked.list();
}

/**
 * Returns how the page may be shared with other URLs of its job, or undefined if it must be fresh:
 * without a job, and with anything that is personal, changes the page or takes its picture.
 */
function resolveSharing(
  { config }: BrowserEngineParts,
  request: BrowserFetch,
  context: ContextRequest,
): Sharing | undefined {
  const jobId = request.holder?.jobId;
  const isFresh =
    config.browserIsolation === "page" ||
    request.profile !== undefined ||
    request.actions.length > 0 ||
    Object.keys(request.headers).length > 0 ||
    hasUserinfo(new URL(request.url)) ||
    request.mayVisit !== undefined ||
    request.screenshot !== undefined ||
    (request.probes ?? []).length > 0;
  if (jobId === undefined || isFresh) return undefined;
  const { origin } = new URL(request.url);
  const { proxy, isBlocked, ...rest } = context;
  const via = [proxy?.label, proxy?.credentials?.getAuthorization()];
  const values = [jobId, origin, via, isBlocked !== undefined, rest];
  return { key: JSON.stringify(values), origin };
}

const describeRendering = (version: string, lease: Lease | undefined): string =>
  lease === undefined || lease.visitsBefore === 0
    ? `Chromium ${version}`
    : `Chromium ${version}, in the context of ${lease.visitsBefore} earlier ${lease.visitsBefore === 1 ? "page" : "pages"}`;

/** Longer than the page may take, so that no other writer takes over before it is saved. */
const LOAN_GRACE_MS = 60_000;

async function borrowProfile(
  { profiles }: BrowserEngineParts,
  { profile, identity, holder = { accountId: identity.accountId } }: BrowserFetch,
  deadline: Deadline,
): Promise<ProfileLoan | undefined> {
  if (profile === undefined) return undefined;
  if (profiles === undefined)
    throw new RequestError(
      "NOT_IMPLEMENTED",
      "This process stores nothing, so it has no profiles.",
    );
  const lifeMs = Math.ceil(deadline.getTimeLeftMs()) + LOAN_GRACE_MS;
  return await (await profiles()).borrow(holder, profile, lifeMs);
}

/** The page was fetched, so a failed save of its profile is a warning, not an error. */
async function saveProfileState(
  loan: ProfileLoan | undefined,
  { context }: Lease,
  warnings: string[],
): Promise<void> {
  if (loan?.saves !== true) return;
  try {
    await loan.save(await readContextState(context));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`The profile was not saved: ${reason}`);
  }
}

function buildContextRequest(
  request: BrowserFetch,
  userAgent: string | undefined,
  config: BrowserEngineParts["config"],
): ContextRequest {
  const { proxy, enhanced } = request;
  return {
    mobile: request.mobile,
    ...buildPlace(request),
    skipTlsVerification: request.skipTlsVerification && !config.forceTlsVerification,
    userAgent,
    // Sites that reject bots get an ordinary browser's user agent; robots.txt was checked under our
    // own name.
    agent: enhanced ? undefined : config.userAgent,
    enhanced,
    isTextOnly: isTextOnly(request),
    proxy,
    maxBytes: config.maxBodyBytes * PAGE_BYTES_FACTOR,
    isBlocked: request.blockAds ? findBlocker(request.url) : undefined,
  };
}

/**
 * Container clocks run in UTC, which gives bots away: an enhanced page uses the time zone of its
 * proxy's country.
 */
function buildPlace({ country, languages, enhanced, proxy }: BrowserFetch) {
  if (!enhanced || country !== undefined) return { country, languages };
  const spoken = languages.length > 0 ? languages : ["en-US"];
  return { country: proxy?.country ?? "us", languages: spoken };
}

/**
 * Returns no blocker for a page on one of these hosts, because its own content would be blocked.
 */
function findBlocker(url: string): ((hostname: string) => boolean) | undefined {
  return isAdHost(new URL(url).hostname) ? undefined : isAdHost;
}

async function assertNavigationAllowed(
  { mayRedirect, url }: BrowserFetch,
  { finalUrl, redirects }: VisitResult,
  deadline: Deadline,
): Promise<void> {
  if (mayRedirect === undefined || redirects.length === 0) return;
  const target = new URL(finalUrl);
  if (await deadline.race(mayRedirect(target))) return;
  const text = `${new URL(url).host} redirects to ${target.href}, which was not followed.`;
  throw new RequestError("UNSUPPORTED_SITE", text);
}

function toCapture(
  request: BrowserFetch,
  visited: VisitResult,
  warnings: readonly string[],
  fetchedAt: number,
): Capture {
  const given = visited.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const [type = ""] = given.split(";");
  const mimeType = /xhtml/i.test(type) ? "application/xhtml+xml" : "text/html";
  const evidence: CaptureEvidence = {
    ...(visited.screenshot === undefined ? {} : { screenshot: visited.screenshot }),
    ...(visited.actions === undefined ? {} : { actions: visited.actions }),
    ...(visited.probes === undefined ? {} : { probes: visited.probes }),
    ...(visited.appeared.length === 0 ? {} : { appeared: visited.appeared }),
  };
  return {
    engine: "browser",
    requestedUrl: request.url,
    finalUrl: visited.finalUrl,
    redirects: visited.redirects,
    statusCode: visited.statusCode,
    headers: visited.headers,
    // The browser has decoded any charset.
    contentType: `${mimeType}; charset=utf-8`,
    mimeType,
    body: Buffer.from(visited.html, "utf8"),
    charset: undefined,
    fetchedAt,
    proxyUsed: request.proxyUsed,
    warnings: [...warnings, ...visited.warnings],
    ...(Object.keys(evidence).length === 0 ? {} : { evidence }),
  };
}
