// What a page shows of itself before anyone decides what it is: counts and marks, noted while it was parsed.
// engines/verdict.ts draws the conclusions.
import type { AnyNode, Document } from "domhandler";
import { notesOn } from "./page-notes.ts";

export type Evidence = {
  /** Words a reader would see, outside script, style, noscript and template. */
  readonly words: number;
  /** Frames of a frameset, whose text is in pages of their own. */
  readonly frames: number;
  readonly noscriptWords: number;
  readonly scripts: number;
  readonly passwordInputs: number;
  /** Elements an application mounts into that hold no text. */
  readonly emptyMounts: number;
  /** Does the page say that it needs JavaScript, or that it is still loading? */
  readonly asksForScript: boolean;
  readonly title: string;
  /** Names of bot-check products whose marks the source of a short page carries. */
  readonly challengeMarks: readonly string[];
  /** Text of the first heading, for error pages that answer 200. */
  readonly heading: string;
};

/** Marks that the interstitial pages of bot checks carry and content pages do not. */
const CHALLENGE_MARKS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  [
    "Cloudflare",
    /_cf_chl_opt|cf-chl-|cf_chl_|\/cdn-cgi\/challenge-platform\/h\/[bg]\/orchestrate|cf-error-details|cf-browser-verification/,
  ],
  ["DataDome", /captcha-delivery\.com|geo\.captcha-delivery/],
  ["PerimeterX", /px-captcha|_pxAppId|human-challenge/],
  ["Imperva", /_Incapsula_Resource|Incapsula incident ID/],
  ["Akamai", /errors\.edgesuite\.net|sec-if-cpt-container|akam-sw\.js/],
  ["AWS WAF", /awsWafCookieDomainList|aws-waf-token|gokuProps/],
  ["Anubis", /id="anubis_challenge"|\/\.within\.website\/x\/cmd\/anubis/],
  ["Sucuri", /sucuri_cloudproxy_js|Sucuri Website Firewall/],
  ["DDoS-Guard", /ddos-guard\/js-challenge|check\.ddos-guard\.net/],
];

/** Interstitial pages are short: a page with more words than this is not searched for marks. */
export const INTERSTITIAL_WORDS = 250;
/** The marks sit near the top; the source is not searched to its end. */
const MARK_SEARCH_CHARACTERS = 200_000;

/** Counts and marks of a page as it was parsed; `source` is its HTML, for the marks of short pages. */
export function readEvidence(document: Document, source: string): Evidence {
  const { text, mounts, linking } = notesOn(document);
  const { words, noscriptWords, scripts, passwordInputs } = text;
  const isShort = words + noscriptWords < INTERSTITIAL_WORDS;
  const searched = isShort ? source.slice(0, MARK_SEARCH_CHARACTERS) : "";
  return {
    words,
    frames: linking.filter(({ name }) => name === "frame").length,
    noscriptWords,
    scripts,
    passwordInputs,
    emptyMounts: mounts.filter((mount) => !mount.children.some(holdsElementOrText)).length,
    asksForScript:
      ASKS_FOR_SCRIPT.test(text.noscriptOpening) ||
      (words < 80 && (ASKS_FOR_SCRIPT.test(text.opening) || LOADING.test(text.opening.trim()))),
    title: text.title.trim(),
    heading: text.heading.trim(),
    challengeMarks: CHALLENGE_MARKS.filter(([, pattern]) => pattern.test(searched)).map(
      ([name]) => name,
    ),
  };
}

/** What pages say to browsers that run no scripts, and what they show until theirs have run. */
const ASKS_FOR_SCRIPT =
  /\b(?:enable|activate|turn on|requires?|needs?|without|disabled|unsupported|aktivieren|activer|activar|attivare)\b[^.]{0,60}\bjava-?script\b|\bjava-?script\b[^.]{0,60}\b(?:enabled?|required|necessary|disabled|turned off|not (?:supported|available)|aktivier|activ|attiv|erforderlich|nécessaire|necesario)/i;
const LOADING =
  /^\W*(?:[\p{L}\p{N} .|–-]{0,40}\s)?(?:loading|please wait|wird geladen|chargement|cargando|caricamento|загрузка|読み込み中|加载中)\W*$/iu;
function holdsElementOrText(node: AnyNode): boolean {
  if (node.type === "text") return node.data.trim() !== "";
  return (
    "name" in node && node.name !== "script" && node.name !== "style" && node.name !== "noscript"
  );
}
