// What a capture is, judged from its status and from the evidence in the page: "outcome, not hope". A page that is
// not the content asked for is never returned as if it were; the verdict says what it is and why.
import type { VerdictKind } from "../contract/verdict.ts";
import { INTERSTITIAL_WORDS, type Evidence } from "../html/evidence.ts";

export type Verdict = {
  readonly kind: VerdictKind;
  /** One sentence for people: what was seen. */
  readonly reason: string;
  /** Would another way of fetching (a better proxy, a browser) have a chance? */
  readonly escalate: boolean;
  /** Which: undefined without `escalate`. */
  readonly remedy?: Remedy | undefined;
};

/** "any" is a browser as well as a better proxy. */
export type Remedy = "browser" | "proxy" | "any";

/** Statuses for which `proxy: auto` tries again with the enhanced proxy (wire contract, outcome of a fetch). */
export const ESCALATING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

const CHALLENGE_TITLE =
  /^(just a moment|attention required!|checking your browser|please wait\b.*(verif|browser)|verify(ing)? you are (a )?human|are you a (human|robot)|security check|ddos-guard|one more step|pardon our interruption|making sure you're not a bot)/i;
const BLOCK_TITLE =
  /^(access (to this page has been )?denied|403 forbidden|request (rejected|blocked)|you have been blocked|sorry, you have been blocked|blocked)\b/i;
const NOT_FOUND_TITLE =
  /\b(404|page not found|not found|page (can(no|')t|could not) be found|seite nicht gefunden|page introuvable|página no encontrada)\b/i;
const LOGIN_TITLE = /\b(log ?in|sign ?in|anmelden|connexion|iniciar sesión|accedi)\b/i;

const FEW_WORDS = 60;
/** Header and footer of an application may stand around the place where its scripts write. */
const SHELL_WORDS = 150;
const FEWEST_WORDS = 20;

/** Judges one capture. `evidence` is undefined for what is not HTML: then status and size count. */
export function judge(
  statusCode: number,
  evidence: Evidence | undefined,
  bodyBytes: number,
): Verdict {
  const few = evidence !== undefined && evidence.words < FEW_WORDS;
  if (evidence !== undefined) {
    const short = evidence.words < INTERSTITIAL_WORDS;
    const marks = evidence.challengeMarks.join(", ");
    if (short && CHALLENGE_TITLE.test(evidence.title) && (marks !== "" || few)) {
      return verdict(
        "bot_check",
        `the page is a bot check (title "${evidence.title}"${marks ? `, ${marks}` : ""})`,
        "any",
      );
    }
    if (few && marks !== "")
      return verdict("bot_check", `the page is a bot check (${marks})`, "any");
    if (short && (statusCode === 403 || statusCode === 429 || statusCode === 503) && marks !== "") {
      return verdict(
        "blocked",
        `the site answered ${statusCode} with a block page (${marks})`,
        "any",
      );
    }
    if (short && BLOCK_TITLE.test(evidence.title)) {
      return verdict(
        "blocked",
        `the site answered with a block page (title "${evidence.title}")`,
        "any",
      );
    }
  }
  if (statusCode >= 400) {
    return verdict(
      "error_page",
      `the site answered ${statusCode}`,
      statusCode === 403 ? "any" : ESCALATING_STATUSES.has(statusCode) ? "proxy" : undefined,
    );
  }
  if (bodyBytes === 0) return verdict("empty", "the site sent nothing but headers", undefined);
  if (evidence === undefined) return verdict("content", "not an HTML page", undefined);
  const shell = judgeShell(evidence);
  if (shell !== undefined) return shell;
  if (
    few &&
    evidence.passwordInputs > 0 &&
    LOGIN_TITLE.test(`${evidence.title} ${evidence.heading}`)
  ) {
    return verdict("login", "the page asks for a login", undefined);
  }
  if (few && (NOT_FOUND_TITLE.test(evidence.title) || NOT_FOUND_TITLE.test(evidence.heading))) {
    return verdict(
      "soft_404",
      `the page says it does not exist, with status ${statusCode}`,
      undefined,
    );
  }
  if (evidence.frames > 0)
    return verdict("content", `${evidence.words} words and ${evidence.frames} frames`, undefined);
  if (evidence.words === 0) return verdict("empty", "the page has no text", undefined);
  if (evidence.words < FEWEST_WORDS && evidence.scripts > 0) {
    const reason = `${evidence.words} words, and scripts that may bring more`;
    return verdict("content", reason, "browser");
  }
  return verdict("content", `${evidence.words} words`, undefined);
}

/** The verdict on a page of which only a part came; `what` says what is missing. What came instead of a page keeps its name. */
export function judgePart(verdict: Verdict, what: string): Verdict {
  const isPage =
    verdict.kind === "content" || verdict.kind === "empty_shell" || verdict.kind === "empty";
  return isPage
    ? { ...verdict, kind: "partial", reason: `only a part of the page came: ${what}` }
    : verdict;
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
  const scriptless = evidence && { ...evidence, scripts: 0, emptyMounts: 0, asksForScript: false };
  return judge(statusCode, scriptless, bodyBytes);
}

function verdict(kind: VerdictKind, reason: string, remedy: Remedy | undefined): Verdict {
  return remedy === undefined
    ? { kind, reason, escalate: false }
    : { kind, reason, escalate: true, remedy };
}
