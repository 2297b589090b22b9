// Decides the result of the check of one page. A change counts if it persists over the confirming
// fetches; differences between them are learned as noise. Anything but the page itself is a failed
// check.
import type { Detection, PictureScope } from "../contract/jobs/monitor-rules.ts";
import { hashText } from "../formats/change-tracking/lines.ts";
import { comparePages, learnBlocks, type PageDifference, type Version } from "./compare-page.ts";
import { addNoise, learnNoise, type Noise } from "./noise.ts";

export type SeenPage = Version & {
  readonly kind: "page";
  readonly title: string | null;
  readonly statusCode: number;
  /** After redirects. */
  readonly finalUrl: string;
  readonly scrapeId: string | null;
  /** Equal for pages with the same bytes, if the page has one. */
  readonly fingerprint?: string | undefined;
};
export type Observation =
  | SeenPage
  /** The server answers that the page is gone (404, 410). */
  | {
      readonly kind: "gone";
      readonly statusCode: number;
      readonly fetchedAt: number;
      readonly scrapeId: string | null;
    }
  /** A block page, a login, an empty selector or a timeout: the state of the page is unknown. */
  | {
      readonly kind: "broken";
      readonly reason: string;
      readonly statusCode: number | null;
      readonly scrapeId: string | null;
    };

/** The bytes have the fingerprint of the baseline and were not converted. */
export type UnchangedPage = {
  readonly kind: "unchanged";
  readonly statusCode: number;
  readonly scrapeId: string | null;
};

/** The last confirmed version. */
export type Baseline = Pick<
  SeenPage,
  "fetchedAt" | "title" | "statusCode" | "finalUrl" | "scrapeId"
> & {
  readonly isGone: boolean;
};

export type KnownBytes = {
  readonly fingerprint: string;
  /** Equal while the rules of the monitor are. */
  readonly rules: string;
  /** Time of the conversion, milliseconds since the epoch. */
  readonly at: number;
};

/** State of a page between checks. JSON. */
export type PageState = {
  /** Consecutive failed checks. */
  readonly failures: number;
  /** Time of the first of them, milliseconds since the epoch. */
  readonly brokenSince: number | null;
  /** True after the page has been reported as broken. */
  readonly isReported: boolean;
  readonly baseline: Baseline | null;
  /** Bytes that have been found to be the baseline. */
  readonly known?: KnownBytes | undefined;
  readonly noise: readonly Noise[];
  /** Recent changes that counted, as hashes of the text before and after, newest last. */
  readonly transitions: readonly {
    readonly from: string;
    readonly to: string;
    readonly at: number;
  }[];
};

export const NEW_STATE: PageState = {
  failures: 0,
  brokenSince: null,
  isReported: false,
  baseline: null,
  noise: [],
  transitions: [],
};

export type PageFinding = {
  readonly status: "same" | "new" | "changed" | "removed" | "error";
  readonly state: PageState;
  /** The newest observation. */
  readonly seen: Observation | UnchangedPage;
  /** The version that the page was compared with; null if there is none. */
  readonly previous:
    | (Version & Pick<Baseline, "title" | "statusCode" | "finalUrl" | "scrapeId">)
    | null;
  /** A confirmed difference. */
  readonly difference?: PageDifference;
  /** The version to keep. */
  readonly version?: Version;
  /** Reason why a difference is not reported, or why the page is broken. */
  readonly reason?: string;
  readonly event?: "broken" | "recovered";
};

export type PageCheck = {
  readonly detection: Detection;
  readonly fieldsOnly: boolean;
  /** Set if pictures are compared. */
  readonly picture?: PictureScope | undefined;
  /** Facts beside the text that count as a change, too. */
  readonly watched: readonly ("title" | "statusCode" | "finalUrl")[];
  readonly state: PageState;
  /** Stored versions, newest first. */
  readonly versions: readonly Version[];
  /** Identifies the rules that decide whether bytes are the baseline. */
  readonly rules: string;
  /** A page with the fingerprint `known` needs no conversion. */
  fetchFirst(known: string | undefined): Promise<Observation | UnchangedPage>;
  /** Fetches the whole page again. */
  fetch(): Promise<Observation>;
  /** Waits before a confirming fetch. */
  pause(ms: number): Promise<void>;
  readonly now: () => number;
};

/** A change that repeats within this time shows that the page flips between versions. */
const FLIP_MS = 7 * 24 * 3_600_000;
const MAX_TRANSITIONS = 24;
/** Maximum delay between the fetches of a first check: nothing is reported, so no caller waits. */
const MAX_LEARNING_PAUSE_MS = 2_000;
/** Afterwards a page is converted again, so that a recent scrape of it can be read. */
const MAX_KNOWN_MS = 12 * 3_600_000;

export async function checkPage(check: PageCheck): Promise<PageFinding> {
  const known = findKnown(check);
  const isYoung = known !== undefined && check.now() - known.at < MAX_KNOWN_MS;
  const first = await check.fetchFirst(isYoung ? known.fingerprint : undefined);
  const finding = await decide(check, first);
  return { ...finding, state: updateKnown(check, finding) };
}

/** The bytes that are the baseline under the current rules. */
function findKnown({ state, rules, versions }: PageCheck): KnownBytes | undefined {
  const { known, baseline } = state;
  const isUsable = baseline !== null && !baseline.isGone && versions.length > 0;
  return isUsable && known?.rules === rules ? known : undefined;
}

/** Remembers the bytes of a page that is the baseline without doubt. */
function updateKnown(check: PageCheck, { status, state, seen, reason }: PageFinding): PageState {
  const { known: before, ...rest } = state;
  if (seen.kind === "page" && seen.fingerprint !== undefined && reason === undefined)
    return {
      ...rest,
      known: { fingerprint: seen.fingerprint, rules: check.rules, at: check.now() },
    };
  const isKept = before !== undefined && (status === "same" || status === "error");
  return isKept ? { ...rest, known: before } : rest;
}

async function decide(check: PageCheck, first: Observation | UnchangedPage): Promise<PageFinding> {
  if (first.kind === "broken") return reportBroken(check, first);
  const finding = await compareWithBaseline(check, resetFailures(check.state), first);
  const wasUnavailable = check.state.isReported || check.state.baseline?.isGone === true;
  // A confirming fetch may find the page broken or gone again.
  const isBack = finding.status !== "error" && finding.state.baseline?.isGone !== true;
  return wasUnavailable && isBack ? { ...finding, event: "recovered" } : finding;
}

async function compareWithBaseline(
  check: PageCheck,
  state: PageState,
  first: Exclude<Observation, { kind: "broken" }> | UnchangedPage,
): Promise<PageFinding> {
  if (first.kind === "unchanged") return toSame(check, state, first);
  if (first.kind === "gone") return await checkGone(check, state, first);
  const { baseline } = state;
  const [newest] = check.versions;
  if (baseline === null || newest === undefined) return await beginHistory(check, state, first);
  const previous = { ...newest, ...pickBaseline(baseline) };
  return await checkChange(check, state, { first, previous });
}

function toSame(check: PageCheck, state: PageState, first: UnchangedPage): PageFinding {
  const previous = findPrevious(check);
  // The document of these bytes.
  const seen = { ...first, scrapeId: previous?.scrapeId ?? null };
  return { status: "same", state, seen, previous };
}

const pickBaseline = ({ title, statusCode, finalUrl, scrapeId }: Baseline) => ({
  title,
  statusCode,
  finalUrl,
  scrapeId,
});

const resetFailures = (state: PageState): PageState => ({
  ...state,
  failures: 0,
  brokenSince: null,
  isReported: false,
});

function findPrevious({ versions, state }: PageCheck): PageFinding["previous"] {
  const [newest] = versions;
  return newest === undefined || state.baseline === null
    ? null
    : { ...newest, ...pickBaseline(state.baseline) };
}

function reportBroken(
  check: PageCheck,
  seen: Extract<Observation, { kind: "broken" }>,
): PageFinding {
  const { state, detection } = check;
  const failures = state.failures + 1;
  const isNews = failures >= detection.brokenAfter && !state.isReported;
  return {
    status: "error",
    state: {
      ...state,
      failures,
      brokenSince: state.brokenSince ?? check.now(),
      isReported: state.isReported || isNews,
    },
    seen,
    previous: findPrevious(check),
    reason: seen.reason,
    ...(isNews && { event: "broken" as const }),
  };
}

const toBaseline = (seen: SeenPage): Baseline => ({
  fetchedAt: seen.fetchedAt,
  title: seen.title,
  statusCode: seen.statusCode,
  finalUrl: seen.finalUrl,
  scrapeId: seen.scrapeId,
  isGone: false,
});

const toVersion = ({ text, values, picture, fetchedAt }: SeenPage): Version => ({
  text,
  ...(values !== undefined && { values }),
  ...(picture !== undefined && { picture }),
  fetchedAt,
});

/** Runs the confirming fetches one by one; stops when one does not return the page. */
async function* fetchConfirmations(
  check: PageCheck,
  maxPauseMs = Infinity,
): AsyncGenerator<Observation> {
  const { confirmations: times, confirmAfterSeconds } = check.detection;
  for (let time = 0; time < times; time++) {
    await check.pause(Math.min(confirmAfterSeconds * 1_000, maxPauseMs));
    const seen = await check.fetch();
    yield seen;
    if (seen.kind === "broken") return;
  }
}

/** Stores the first version of a page; confirming fetches find its unstable regions. */
async function beginHistory(
  check: PageCheck,
  state: PageState,
  first: SeenPage,
): Promise<PageFinding> {
  const pages = [first];
  if (check.detection.ignoreNoise && !check.fieldsOnly)
    for await (const seen of fetchConfirmations(check, MAX_LEARNING_PAUSE_MS))
      if (seen.kind === "page") pages.push(seen);
  const last = pages.at(-1) ?? first;
  const learned = await learnFrom(check, pages);
  return {
    status: "new",
    state: { ...state, baseline: toBaseline(last), noise: addNoise(state.noise, learned) },
    seen: last,
    previous: null,
    version: toVersion(last),
  };
}

async function checkGone(
  check: PageCheck,
  state: PageState,
  first: Extract<Observation, { kind: "gone" }>,
): Promise<PageFinding> {
  const { baseline } = state;
  const previous = findPrevious(check);
  if (baseline?.isGone === true) return { status: "same", state, seen: first, previous };
  for await (const seen of fetchConfirmations(check)) {
    if (seen.kind === "gone") continue;
    if (seen.kind === "broken") return reportBroken(check, seen);
    return { status: "same", state, seen, previous, reason: "The page was gone for a moment." };
  }
  const gone: Baseline = {
    fetchedAt: first.fetchedAt,
    title: baseline?.title ?? null,
    statusCode: first.statusCode,
    finalUrl: baseline?.finalUrl ?? "",
    scrapeId: baseline?.scrapeId ?? null,
    isGone: true,
  };
  return { status: "removed", state: { ...state, baseline: gone }, seen: first, previous };
}

type Candidate = {
  readonly first: SeenPage;
  readonly previous: NonNullable<PageFinding["previous"]>;
};

async function checkChange(
  check: PageCheck,
  state: PageState,
  { first, previous }: Candidate,
): Promise<PageFinding> {
  const { detection, fieldsOnly, versions } = check;
  const earlier = async () => versions.slice(1).toReversed();
  const compare = async (seen: SeenPage, noise: readonly Noise[]): Promise<PageDifference> => {
    const rules = { detection, fieldsOnly, picture: check.picture, noise };
    const found = await comparePages(previous, seen, earlier, rules);
    const isOther = check.watched.some((name) => seen[name] !== previous[name]);
    return isOther ? { ...found, changed: true } : found;
  };
  const same = { status: "same", state, seen: first, previous } as const;
  // Another version of Quarry, or a model, may read the same bytes in another way.
  if (first.fingerprint !== undefined && first.fingerprint === findKnown(check)?.fingerprint)
    return {
      ...same,
      state: { ...state, baseline: toBaseline(first) },
      ...(!isSameBody(previous, first) && { version: toVersion(first) }),
    };
  let difference = await compare(first, state.noise);
  const wasGone = state.baseline?.isGone === true;
  if (!difference.changed && !wasGone) return { ...same, state: moveBaseline(state, first) };
  const pages = [first];
  for await (const seen of fetchConfirmations(check)) {
    if (seen.kind === "broken") return reportBroken(check, seen);
    if (seen.kind === "gone") return { ...same, reason: "The change did not persist." };
    pages.push(seen);
  }
  const last = pages.at(-1) ?? first;
  const learned = await learnFrom(check, pages, previous);
  const noise = addNoise(state.noise, learned);
  for (const page of pages) {
    difference = await compare(page, noise);
    if (!difference.changed && !wasGone)
      return {
        ...same,
        state: { ...state, noise },
        seen: last,
        reason: "The change did not persist.",
      };
  }
  const change = { from: toVersionKey(previous), to: toVersionKey(last), at: last.fetchedAt };
  const recent = state.transitions.filter(({ at }) => at > change.at - FLIP_MS);
  const isFlip =
    detection.ignoreNoise &&
    recent.some(({ from, to }) => from === change.from && to === change.to);
  if (isFlip && !wasGone)
    return {
      ...same,
      state: { ...state, noise },
      seen: last,
      reason: "The page flips between versions that were reported before.",
    };
  return {
    status: "changed",
    state: {
      ...state,
      noise,
      baseline: toBaseline(last),
      transitions: [...recent, change].slice(-MAX_TRANSITIONS),
    },
    seen: last,
    previous,
    // A page that was gone may come back unchanged.
    ...(difference.changed && { difference }),
    version: toVersion(last),
  };
}

const isSameBody = (one: Version, other: Version): boolean =>
  one.text === other.text &&
  one.picture === other.picture &&
  JSON.stringify(one.values) === JSON.stringify(other.values);

/** Learns unstable parts from fetches shortly after each other. */
async function learnFrom(
  { detection, fieldsOnly, picture }: PageCheck,
  pages: readonly SeenPage[],
  previous?: Version,
): Promise<Noise[]> {
  if (!detection.ignoreNoise || fieldsOnly || pages.length < 2) return [];
  // The known version is older: its differing pixels may be the edit.
  if (picture !== undefined) return await learnBlocks(pages, picture);
  const texts = pages.map(({ text }) => text);
  return learnNoise(previous === undefined ? texts : [previous.text, ...texts]);
}

/** Updates title, status and URL of an unchanged page without a new version. */
const moveBaseline = (
  state: PageState,
  { title, statusCode, finalUrl, scrapeId }: SeenPage,
): PageState =>
  state.baseline === null
    ? state
    : { ...state, baseline: { ...state.baseline, title, statusCode, finalUrl, scrapeId } };

/** Equal for equal versions. */
const toVersionKey = (
  version: Version & Pick<SeenPage, "title" | "statusCode" | "finalUrl">,
): string => {
  const { text, values = null, picture, title, statusCode, finalUrl } = version;
  const body = picture === undefined ? text : hashText(picture);
  return hashText(JSON.stringify([body, values, title, statusCode, finalUrl]));
};
