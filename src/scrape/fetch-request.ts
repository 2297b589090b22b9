// Request and result of fetching one page.
import type { MayVisit } from "../browser/blocking/navigation-guard.ts";
import { type Identity } from "../account/identity.ts";
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import type { ProgressListener } from "../engines/document.ts";
import type { MayRedirect } from "../engines/http.ts";
import { type Verdict } from "../html/evidence/verdict.ts";
import type { Plan } from "../engines/plan.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import type { ProfileHolder } from "../store/accounts/profiles.ts";
import { removeUserinfoFromText } from "../url/userinfo.ts";
import { type CachePolicy } from "./cache-policy.ts";
import { type DeriveOptions } from "./derive-input.ts";
import type { Stopwatch, Trail } from "./explanation.ts";
export type FetchResult = {
  readonly capture: Capture;
  readonly derived: DerivedDocument;
  readonly verdict: Verdict;
  readonly fromCache: boolean;
  readonly trail: readonly Trail[];
  /** Milliseconds it waited for a free browser page. */
  readonly queuedMs: number;
  /** The cached page with the same bytes, if the request revalidates. */
  readonly confirmed?: Capture | undefined;
  /** Reason why no browser was tried although it might have helped; undefined otherwise. */
  readonly withoutBrowser?: string | undefined;
};

export type FetchRequest = DeriveOptions & {
  readonly url: URL;
  readonly plan: Plan;
  /** A file that the caller sent: nothing is fetched. */
  readonly given?: Capture | undefined;
  readonly policy: CachePolicy;
  readonly deadline: Deadline;
  readonly watch: Stopwatch;
  /** Collects the attempts, which are reported when all of them fail. */
  readonly trail?: Trail[] | undefined;
  /** True if a redirect may be followed; undefined allows all. */
  readonly mayRedirect?: MayRedirect | undefined;
  /** True if the browser page may navigate there, for any cause. Refused URLs are not requested. */
  readonly mayVisit?: MayVisit | undefined;
  /** Queues browser pages fairly between jobs, and conversion threads per job. */
  readonly identity?: Identity | undefined;
  readonly holder?: ProfileHolder | undefined;
  /** Called before waiting for a browser, so that the caller can release its HTTP slot. */
  readonly onBrowser?: (() => void) | undefined;
  /** Reports progress while a long file is parsed. */
  readonly reading?: ProgressListener | undefined;
  /** Fetches with the validators of the cached capture (ETag, Last-Modified). */
  readonly revalidates?: boolean | undefined;
  /** Fingerprint of a page that the caller knows: an equal one is not converted. */
  readonly knownFingerprint?: string | undefined;
};

export type AttemptRequest = FetchRequest & {
  readonly known?: Capture | undefined;
  /** Pages like this need a browser: over plain HTTP only their data is of use. */
  readonly wantsData?: boolean;
};

/** The URL as written, without a password, which is neither stored nor returned. */
export function chooseShownUrl({ options, url }: FetchRequest): string {
  return removeUserinfoFromText(options.url, url);
}
