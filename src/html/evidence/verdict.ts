// Judges a capture by its status and the evidence in the page. A page that is not the requested
// content is never returned as if it were; the verdict names its kind and the reason.
import type { ResponseHeader } from "../../capture.ts";
import { VERDICTS, type VerdictKind } from "../../contract/page/verdict.ts";
import { MAX_INTERSTITIAL_WORDS } from "../clean/block-page-signatures.ts";
import type { Evidence } from "./evidence.ts";

export type Verdict = {
  readonly kind: VerdictKind;
  /** One sentence for people: what was detected. */
  readonly reason: string;
  /** True if another way of fetching (a better proxy, a browser) may help. */
  readonly escalate: boolean;
  /** Remedy to escalate to; undefined without `escalate`. */
  readonly remedy?: Remedy | undefined;
  /** True if it is certainly a bot check or block page, whose text is not content. */
  readonly certain?: true;
};

/** "any" means a browser or a better proxy. */
export type Remedy = "browser" | "proxy" | "any";

const REMEDIES: readonly (Remedy | undefined)[] = [undefined, "browser", "proxy", "any"];

/** Verdicts by kind and remedy, as text, so that a set of them can be sent to a thread. */
export type VerdictClasses = ReadonlySet<string>;

const toVerdictClass = ({ kind, remedy }: Pick<Verdict, "kind" | "remedy">): string =>
  `${kind} ${remedy ?? "none"}`;

export const isOfClass = (verdict: Verdict, classes: VerdictClasses): boolean =>
  classes.has(toVerdictClass(verdict));

/** The classes of all verdicts for which the predicate holds. */
export const filterVerdictClasses = (predicate: (verdict: Verdict) => boolean): VerdictClasses =>
  new Set(
    VERDICTS.flatMap((kind) =>
      REMEDIES.map((remedy) => createVerdict(kind, "", remedy))
        .filter(predicate)
        .map(toVerdictClass),
    ),
  );

/** Input of the verdict besides the evidence in the page. */
export type CaptureFacts = {
  readonly statusCode: number;
  readonly bodyBytes: number;
  /** Empty for a page in a browser, whose headers may be those of a passed bot check. */
  readonly headers: readonly ResponseHeader[];
  readonly isRendered: boolean;
  /** True if the body is a parsed file, whose HTML is not evidence. */
  readonly isFile: boolean;
  /** True if the parsed file has no text and no warning that says so. */
  readonly isBlankFile: boolean;
  /** The missing part of the capture. */
  readonly missing: string | undefined;
};

/** Judges a capture by its facts and the evidence in its page. */
export function judgeFacts(facts: CaptureFacts, found: Evidence | undefined): Verdict {
  const { statusCode, bodyBytes, headers, isRendered, isFile, missing } = facts;
  const evidence = isFile ? undefined : found;
  const judged = isRendered
    ? judgeRendered(statusCode, evidence, bodyBytes)
    : judge(statusCode, evidence, bodyBytes, headers);
  if (facts.isBlankFile && judged.kind === "content" && missing === undefined)
    return createVerdict("empty", "no text was found in the file", undefined);
  return missing === undefined ? judged : judgePart(judged, missing);
}

/**
 * Statuses for which `proxy: auto` retries with the enhanced proxy (wire contract, outcome of a
 * fetch).
 */
export const ESCALATING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Response headers that mark a vendor's answer in place of the site's. */
const CHALLENGE_HEADERS: readonly {
  readonly product: string;
  readonly name: string;
  readonly value: RegExp;
  readonly source: string;
}[] = [
  {
    product: "Cloudflare",
    name: "cf-mitigated",
    value: /^challenge$/,
    source:
      "https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/",
  },
  {
    product: "AWS WAF",
    name: "x-amzn-waf-action",
    value: /^(?:challenge|captcha)$/,
    source:
      "https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html",
  },
  {
    product: "Vercel",
    name: "x-vercel-mitigated",
    value: /^challenge$/,
    source: "https://github.com/microlinkhq/is-antibot",
  },
];

/** Statuses that firewalls use to block. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);

/** Matches a title that consists of the phrase, optionally followed by the site's name. */
const toTitlePattern = (phrases: string): RegExp =>
  new RegExp(`^(?:${phrases})[.!…?]*(?: [|–—-] .*)?$`, "i");

const CHALLENGE_TITLE = toTitlePattern(
  "just a moment|attention required!|checking (?:your browser|you are not a bot)(?: before .*)?|please wait(?: while we|,) .*(?:verif|check).*|verify(?:ing)? (?:that )?you are (?:a )?human|human verification|are you (?:a )?(?:human|robot)|robot or human|security check(?:point)?|vercel security checkpoint|ddos-guard|one more step|pardon our interruption|making sure you'?re not a bot|client challenge",
);
/** Titles that name a vendor's product. */
const VENDOR_TITLE = toTitlePattern(
  "vercel security checkpoint|attention required! \\| cloudflare|ddos-guard",
);
const BLOCK_TITLE = toTitlePattern(
  "access (?:to this page (?:has been )?)?denied|403 forbidden|request (?:rejected|blocked)|(?:sorry, )?you have been blocked|blocked",
);
const LOGIN_TITLE = /\b(log ?in|sign ?in|anmelden|connexion|iniciar sesión|accedi)\b/i;

/** A part of a title between separators that says the page does not exist. */
const NOT_FOUND_PART =
  /^(?:(?:http )?(?:error )?404(?: error)? \(?(?:page )?not found\)?|(?:page|file) not found|not found|.{0,40}\bpage .{0,30}(?:could not|couldn't|can(?:no|')t) be found|.{0,20}\bpage (?:does not|doesn't|no longer) exists?|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|pagina niet gevonden|страница не найдена|ページが見つかりません|页面不存在)$/i;
/** Matches a whole title or heading only, because a part "404" may be the name of something. */
const NOT_FOUND_WHOLE = /^(?:http )?(?:error )?404(?: error)?[.!]?$/i;
/** Titles of servers' own error pages. */
const SERVER_FAULT =
  /^(?:5\d\d )?(?:bad gateway|internal server error|service (?:temporarily )?unavailable|gateway time-?out)$/i;

const saysNotFound = (text: string): boolean =>
  NOT_FOUND_WHOLE.test(text) ||
  text
    .slice(0, 200)
    .split(/[|–—:·»!.]| - /)
    .some((part) => NOT_FOUND_PART.test(part.trim()));

const MIN_CONTENT_WORDS = 60;
/** Header and footer of an application may surround the place where its scripts render. */
const MAX_SHELL_WORDS = 150;
const MIN_PAGE_WORDS = 20;

/**
 * Judges one capture. `evidence` is undefined for non-HTML, which is judged by status and size.
 * `headers` may be missing, as for archived pages.
 */
export function judge(
  statusCode: number,
  evidence: Evidence | undefined,
  bodyBytes: number,
  headers: readonly ResponseHeader[] = [],
): Verdict {
  const refusal =
    evidence && (judgeCertain(evidence, headers) ?? judgeSuspected(statusCode, evidence));
  if (refusal !== undefined) return refusal;
  if (statusCode >= 400) {
    return createVerdict(
      "error_page",
      `the site answered ${statusCode}`,
      statusCode === 403 ? "any" : ESCALATING_STATUSES.has(statusCode) ? "proxy" : undefined,
    );
  }
  if (bodyBytes === 0)
    return createVerdict("empty", "the site sent nothing but headers", undefined);
  return evidence === undefined
    ? createVerdict("content", "not an HTML page", undefined)
    : judgePage(statusCode, evidence);
}

/** Detects a vendor's page by its markers, on a page without its own content. */
function judgeCertain(evidence: Evidence, headers: readonly ResponseHeader[]): Verdict | undefined {
  const mark = evidence.marks.find(({ certain }) => certain);
  const header =
    evidence.words < MAX_INTERSTITIAL_WORDS
      ? CHALLENGE_HEADERS.find((known) =>
          headers.some(([name, value]) => name === known.name && known.value.test(value.trim())),
        )
      : undefined;
  const product = mark?.product ?? header?.product;
  if (product === undefined) return undefined;
  const isBlock = mark?.verdict === "blocked";
  const reason = isBlock
    ? `the page is a block page of ${product}`
    : `the page is a bot check of ${product}`;
  return { ...createVerdict(isBlock ? "blocked" : "bot_check", reason, "any"), certain: true };
}

/** Detects by titles, widgets and marks that pages with content may have as well. */
function judgeSuspected(statusCode: number, evidence: Evidence): Verdict | undefined {
  const { words, title, marks, hasCaptcha, asksForScript } = evidence;
  if (words >= MAX_INTERSTITIAL_WORDS) return undefined;
  const few = words < MIN_CONTENT_WORDS;
  const checks = marks.filter((mark) => mark.verdict === "bot_check").map(({ product }) => product);
  const seen = [`title "${title}"`, ...checks].join(", ");
  const isRefused = REFUSING_STATUSES.has(statusCode);
  if (CHALLENGE_TITLE.test(title)) {
    const isSupported =
      hasCaptcha ||
      asksForScript ||
      statusCode >= 400 ||
      words < MIN_PAGE_WORDS ||
      VENDOR_TITLE.test(title);
    if (checks.length > 0 || (few && isSupported))
      return createVerdict("bot_check", `the page looks like a bot check (${seen})`, "any");
  }
  if (few && checks.length > 0)
    return createVerdict(
      "bot_check",
      `the page looks like a bot check (${checks.join(", ")})`,
      "any",
    );
  const products = marks.map(({ product }) => product).join(", ");
  if (isRefused && products !== "") {
    return createVerdict(
      "blocked",
      `the site answered ${statusCode} with what looks like a block page (${products})`,
      "any",
    );
  }
  if (BLOCK_TITLE.test(title) && (few || statusCode >= 400)) {
    return createVerdict(
      "blocked",
      `the site answered with what looks like a block page (title "${title}")`,
      "any",
    );
  }
  return undefined;
}

/** Judges a page without suspicious status or marks. */
function judgePage(statusCode: number, evidence: Evidence): Verdict {
  const { words, title, heading, passwordInputs, asksForAccount } = evidence;
  const few = words < MIN_CONTENT_WORDS;
  const shell = judgeShell(evidence);
  if (shell !== undefined) return shell;
  if (few && (passwordInputs > 0 || asksForAccount) && LOGIN_TITLE.test(`${title} ${heading}`))
    return createVerdict("login", "the page asks for a login", undefined);
  if (few && [title, heading].some(saysNotFound)) {
    return createVerdict(
      "soft_404",
      `the page says it does not exist, with status ${statusCode}`,
      undefined,
    );
  }
  if (few && [title, heading].some((text) => SERVER_FAULT.test(text)))
    return createVerdict(
      "soft_404",
      `the page is the error page of a server, with status ${statusCode}`,
      undefined,
    );
  if (evidence.frames > 0)
    return createVerdict("content", `${words} words and ${evidence.frames} frames`, undefined);
  if (words === 0) return createVerdict("empty", "the page has no text", undefined);
  if (words < MIN_PAGE_WORDS && evidence.scripts > 0) {
    const reason = `${words} words, and scripts that may bring more`;
    return createVerdict("content", reason, "browser");
  }
  return createVerdict("content", `${words} words`, undefined);
}

/** The verdict on a partial page; `what` names the missing part. A block page keeps its verdict. */
export function judgePart(verdict: Verdict, what: string): Verdict {
  const isPage =
    verdict.kind === "content" || verdict.kind === "empty_shell" || verdict.kind === "empty";
  return isPage
    ? { ...verdict, kind: "partial", reason: `only a part of the page came: ${what}` }
    : verdict;
}

/** Shorter noscript text only asks to enable scripts. */
const MIN_NOSCRIPT_WORDS = 50;

/** The final verdict once nothing else is tried: a shell with enough noscript text is content. */
export function acceptNoscript(verdict: Verdict, evidence: Evidence | undefined): Verdict {
  if (verdict.kind !== "empty_shell" && verdict.kind !== "empty") return verdict;
  if (evidence === undefined || evidence.noscriptWords < MIN_NOSCRIPT_WORDS) return verdict;
  if (evidence.noscriptWords <= evidence.words) return verdict;
  const reason = `${evidence.noscriptWords} words for readers without script`;
  return { ...verdict, kind: "content", reason };
}

/** Detects an application whose text is created by scripts. */
function judgeShell({
  words,
  frames,
  scripts,
  emptyMounts,
  asksForScript,
}: Evidence): Verdict | undefined {
  if (scripts === 0 || frames > 0) return undefined;
  if (words < MAX_SHELL_WORDS && emptyMounts > 0) {
    const reason = "the page is an application shell: its text is made by scripts";
    return createVerdict("empty_shell", reason, "browser");
  }
  if (words < MIN_CONTENT_WORDS && asksForScript)
    return createVerdict("empty_shell", "the page says that it needs its scripts", "browser");
  if (words < 5)
    return createVerdict("empty_shell", "the page has scripts but next to no text", "browser");
  return undefined;
}

/**
 * Judges a rendered page. Another browser would not find more text, though an enhanced one may be
 * shown another page. A page that is still nearly empty is thin.
 */
export function judgeRendered(
  statusCode: number,
  evidence: Evidence | undefined,
  bodyBytes: number,
): Verdict {
  const scriptless = evidence && { ...evidence, scripts: 0, emptyMounts: 0 };
  return judge(statusCode, scriptless, bodyBytes);
}

function createVerdict(kind: VerdictKind, reason: string, remedy: Remedy | undefined): Verdict {
  return remedy === undefined
    ? { kind, reason, escalate: false }
    : { kind, reason, escalate: true, remedy };
}
