// What a capture is, judged from its status and from the evidence in the page: "outcome, not hope". A page that is
// not the content asked for is never returned as if it were; the verdict says what it is and why.
import type { ResponseHeader } from "../capture.ts";
import type { VerdictKind } from "../contract/page/verdict.ts";
import { INTERSTITIAL_WORDS } from "../html/clean/block-page-signatures.ts";
import type { Evidence } from "../html/evidence/evidence.ts";

export type Verdict = {
  readonly kind: VerdictKind;
  /** One sentence for people: what was seen. */
  readonly reason: string;
  /** Would another way of fetching (a better proxy, a browser) have a chance? */
  readonly escalate: boolean;
  /** Which: undefined without `escalate`. */
  readonly remedy?: Remedy | undefined;
  /** Is it a bot check or block page beyond doubt, so that its text is no content? */
  readonly certain?: true;
};

/** "any" is a browser as well as a better proxy. */
export type Remedy = "browser" | "proxy" | "any";

/** Statuses for which `proxy: auto` tries again with the enhanced proxy (wire contract, outcome of a fetch). */
export const ESCALATING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Response headers with which a vendor says that it answered in place of the site. */
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

/** Statuses with which firewalls refuse. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);

/** A title that is the phrase, with nothing but the name of the site behind it. */
const asTitle = (phrases: string): RegExp =>
  new RegExp(`^(?:${phrases})[.!…?]*(?: [|–—-] .*)?$`, "i");

const CHALLENGE_TITLE = asTitle(
  "just a moment|attention required!|checking (?:your browser|you are not a bot)(?: before .*)?|please wait(?: while we|,) .*(?:verif|check).*|verify(?:ing)? (?:that )?you are (?:a )?human|human verification|are you (?:a )?(?:human|robot)|robot or human|security check(?:point)?|vercel security checkpoint|ddos-guard|one more step|pardon our interruption|making sure you'?re not a bot|client challenge",
);
/** Titles that name the product of a vendor. */
const VENDOR_TITLE = asTitle(
  "vercel security checkpoint|attention required! \\| cloudflare|ddos-guard",
);
const BLOCK_TITLE = asTitle(
  "access (?:to this page (?:has been )?)?denied|403 forbidden|request (?:rejected|blocked)|(?:sorry, )?you have been blocked|blocked",
);
const LOGIN_TITLE = /\b(log ?in|sign ?in|anmelden|connexion|iniciar sesión|accedi)\b/i;

/** A part of a title between separators that says the page is not there. */
const NOT_FOUND_PART =
  /^(?:(?:http )?(?:error )?404(?: error)? \(?(?:page )?not found\)?|(?:page|file) not found|not found|.{0,40}\bpage .{0,30}(?:could not|couldn't|can(?:no|')t) be found|.{0,20}\bpage (?:does not|doesn't|no longer) exists?|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|pagina niet gevonden|страница не найдена|ページが見つかりません|页面不存在)$/i;
/** All of a title or heading; as a part "404" may be the name of a thing. */
const NOT_FOUND_WHOLE = /^(?:http )?(?:error )?404(?: error)?[.!]?$/i;
/** Titles that servers give the pages of their own faults. */
const SERVER_FAULT =
  /^(?:5\d\d )?(?:bad gateway|internal server error|service (?:temporarily )?unavailable|gateway time-?out)$/i;

const saysNotFound = (text: string): boolean =>
  NOT_FOUND_WHOLE.test(text) ||
  text
    .slice(0, 200)
    .split(/[|–—:·»!.]| - /)
    .some((part) => NOT_FOUND_PART.test(part.trim()));

const FEW_WORDS = 60;
/** Header and footer of an application may stand around the place where its scripts write. */
const SHELL_WORDS = 150;
const FEWEST_WORDS = 20;

/**
 * Judges one capture. `evidence` is undefined for what is not HTML: then status and size count. `headers` may be missing, as
 * with archived pages.
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
    return verdict(
      "error_page",
      `the site answered ${statusCode}`,
      statusCode === 403 ? "any" : ESCALATING_STATUSES.has(statusCode) ? "proxy" : undefined,
    );
  }
  if (bodyBytes === 0) return verdict("empty", "the site sent nothing but headers", undefined);
  return evidence === undefined
    ? verdict("content", "not an HTML page", undefined)
    : judgePage(statusCode, evidence);
}

/** Only what a vendor's page is made of, on a page without content of its own. */
function judgeCertain(evidence: Evidence, headers: readonly ResponseHeader[]): Verdict | undefined {
  const mark = evidence.marks.find(({ certain }) => certain);
  const header =
    evidence.words < INTERSTITIAL_WORDS
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
  return { ...verdict(isBlock ? "blocked" : "bot_check", reason, "any"), certain: true };
}

/** Titles, widgets and marks that pages with content may have as well. */
function judgeSuspected(statusCode: number, evidence: Evidence): Verdict | undefined {
  const { words, title, marks, hasCaptcha, asksForScript } = evidence;
  if (words >= INTERSTITIAL_WORDS) return undefined;
  const few = words < FEW_WORDS;
  const checks = marks.filter((mark) => mark.verdict === "bot_check").map(({ product }) => product);
  const seen = [`title "${title}"`, ...checks].join(", ");
  const isRefused = REFUSING_STATUSES.has(statusCode);
  if (CHALLENGE_TITLE.test(title)) {
    const isSupported =
      hasCaptcha ||
      asksForScript ||
      statusCode >= 400 ||
      words < FEWEST_WORDS ||
      VENDOR_TITLE.test(title);
    if (checks.length > 0 || (few && isSupported))
      return verdict("bot_check", `the page looks like a bot check (${seen})`, "any");
  }
  if (few && checks.length > 0)
    return verdict("bot_check", `the page looks like a bot check (${checks.join(", ")})`, "any");
  const products = marks.map(({ product }) => product).join(", ");
  if (isRefused && products !== "") {
    return verdict(
      "blocked",
      `the site answered ${statusCode} with what looks like a block page (${products})`,
      "any",
    );
  }
  if (BLOCK_TITLE.test(title) && (few || statusCode >= 400)) {
    return verdict(
      "blocked",
      `the site answered with what looks like a block page (title "${title}")`,
      "any",
    );
  }
  return undefined;
}

/** A page that neither status nor marks speak against. */
function judgePage(statusCode: number, evidence: Evidence): Verdict {
  const { words, title, heading, passwordInputs, asksForAccount } = evidence;
  const few = words < FEW_WORDS;
  const shell = judgeShell(evidence);
  if (shell !== undefined) return shell;
  if (few && (passwordInputs > 0 || asksForAccount) && LOGIN_TITLE.test(`${title} ${heading}`))
    return verdict("login", "the page asks for a login", undefined);
  if (few && [title, heading].some(saysNotFound)) {
    return verdict(
      "soft_404",
      `the page says it does not exist, with status ${statusCode}`,
      undefined,
    );
  }
  if (few && [title, heading].some((text) => SERVER_FAULT.test(text)))
    return verdict(
      "soft_404",
      `the page is the error page of a server, with status ${statusCode}`,
      undefined,
    );
  if (evidence.frames > 0)
    return verdict("content", `${words} words and ${evidence.frames} frames`, undefined);
  if (words === 0) return verdict("empty", "the page has no text", undefined);
  if (words < FEWEST_WORDS && evidence.scripts > 0) {
    const reason = `${words} words, and scripts that may bring more`;
    return verdict("content", reason, "browser");
  }
  return verdict("content", `${words} words`, undefined);
}

/** The verdict on a page of which only a part came; `what` says what is missing. What came instead of a page keeps its name. */
export function judgePart(verdict: Verdict, what: string): Verdict {
  const isPage =
    verdict.kind === "content" || verdict.kind === "empty_shell" || verdict.kind === "empty";
  return isPage
    ? { ...verdict, kind: "partial", reason: `only a part of the page came: ${what}` }
    : verdict;
}

/** Below this the text for readers without script only asks for scripts. */
const MIN_NOSCRIPT_WORDS = 50;

/** The verdict once nothing else is tried: a shell that brings its text for readers without script has content. */
export function acceptNoscript(verdict: Verdict, evidence: Evidence | undefined): Verdict {
  if (verdict.kind !== "empty_shell" && verdict.kind !== "empty") return verdict;
  if (evidence === undefined || evidence.noscriptWords < MIN_NOSCRIPT_WORDS) return verdict;
  if (evidence.noscriptWords <= evidence.words) return verdict;
  const reason = `${evidence.noscriptWords} words for readers without script`;
  return { ...verdict, kind: "content", reason };
}

/** Is it an application whose text its scripts would have to make? */
function judgeShell({
  words,
  frames,
  scripts,
  emptyMounts,
  asksForScript,
}: Evidence): Verdict | undefined {
  if (scripts === 0 || frames > 0) return undefined;
  if (words < SHELL_WORDS && emptyMounts > 0) {
    const reason = "the page is an application shell: its text is made by scripts";
    return verdict("empty_shell", reason, "browser");
  }
  if (words < FEW_WORDS && asksForScript)
    return verdict("empty_shell", "the page says that it needs its scripts", "browser");
  if (words < 5)
    return verdict("empty_shell", "the page has scripts but next to no text", "browser");
  return undefined;
}

/**
 * Judges what a browser brought, whose scripts have run: no other browser makes more of its text, though one that does not
 * look driven may be shown another. What is still empty is thin.
 */
export function judgeRendered(
  statusCode: number,
  evidence: Evidence | undefined,
  bodyBytes: number,
): Verdict {
  const scriptless = evidence && { ...evidence, scripts: 0, emptyMounts: 0 };
  return judge(statusCode, scriptless, bodyBytes);
}

function verdict(kind: VerdictKind, reason: string, remedy: Remedy | undefined): Verdict {
  return remedy === undefined
    ? { kind, reason, escalate: false }
    : { kind, reason, escalate: true, remedy };
}
