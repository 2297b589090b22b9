// What a page shows of itself before anyone decides what it is: counts and marks, read in one walk of the tree.
// engines/verdict.ts draws the conclusions.
import {
  type AnyNode,
  type ChildNode,
  type Document,
  type Element,
  isTag,
  type ParentNode,
} from "domhandler";

export type Evidence = {
  /** Words a reader would see, outside script, style, noscript and template. */
  readonly words: number;
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

const SILENT = new Set(["script", "style", "template", "svg", "head"]);
const MOUNTS = new Set([
  "root",
  "app",
  "__next",
  "__nuxt",
  "___gatsby",
  "svelte",
  "main-app",
  "app-root",
  "react-root",
]);

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
  const counts = new Counter().walk(document);
  const isShort = counts.words + counts.noscriptWords < INTERSTITIAL_WORDS;
  const searched = isShort ? source.slice(0, MARK_SEARCH_CHARACTERS) : "";
  const challengeMarks = CHALLENGE_MARKS.filter(([, pattern]) => pattern.test(searched)).map(
    ([name]) => name,
  );
  return { ...counts, challengeMarks };
}

/** What pages say to browsers that run no scripts, and what they show until theirs have run. */
const ASKS_FOR_SCRIPT =
  /\b(?:enable|activate|turn on|requires?|needs?|without|disabled|unsupported|aktivieren|activer|activar|attivare)\b[^.]{0,60}\bjava-?script\b|\bjava-?script\b[^.]{0,60}\b(?:enabled?|required|necessary|disabled|turned off|not (?:supported|available)|aktivier|activ|attiv|erforderlich|nécessaire|necesario)/i;
const LOADING =
  /^\W*(?:[\p{L}\p{N} .|–-]{0,40}\s)?(?:loading|please wait|wird geladen|chargement|cargando|caricamento|загрузка|読み込み中|加载中)\W*$/iu;
/** Characters of the text that are looked at for these words. */
const OPENING_CHARACTERS = 2_000;

class Counter {
  #words = 0;
  #noscriptWords = 0;
  #scripts = 0;
  #passwordInputs = 0;
  #emptyMounts = 0;
  #title = "";
  #heading = "";
  #opening = "";
  #noscriptOpening = "";
  /** How many elements of a kind are open around the node at hand. */
  #silent = 0;
  #noscripts = 0;
  /** The title or first heading that is open. */
  #reading: Element | undefined;

  walk(document: Document): Omit<Evidence, "challengeMarks"> {
    let node: ChildNode | null = document.firstChild;
    while (node !== null) {
      if (node.type === "text") this.#text(node.data);
      else if (isTag(node)) {
        this.#enter(node);
        const first = node.children[0];
        if (first !== undefined) {
          node = first;
          continue;
        }
        this.#leave(node);
      }
      while (node !== null && node.next === null) {
        const parent: ParentNode | null = node.parent;
        node = parent !== null && isTag(parent) ? parent : null;
        if (node !== null) this.#leave(node);
      }
      if (node !== null) node = node.next;
    }
    return {
      words: this.#words,
      noscriptWords: this.#noscriptWords,
      scripts: this.#scripts,
      passwordInputs: this.#passwordInputs,
      emptyMounts: this.#emptyMounts,
      asksForScript:
        ASKS_FOR_SCRIPT.test(this.#noscriptOpening) ||
        (this.#words < 80 &&
          (ASKS_FOR_SCRIPT.test(this.#opening) || LOADING.test(this.#opening.trim()))),
      title: this.#title.trim(),
      heading: this.#heading.trim(),
    };
  }

  #text(text: string): void {
    if (this.#reading !== undefined) {
      if (this.#reading.name === "title") {
        if (this.#title.length < 500) this.#title += text;
      } else if (this.#heading.length < 500) this.#heading += text;
    }
    if (this.#noscripts > 0) {
      this.#noscriptWords += countWords(text);
      if (this.#noscriptOpening.length < OPENING_CHARACTERS) this.#noscriptOpening += text;
    } else if (this.#silent === 0) {
      this.#words += countWords(text);
      if (this.#opening.length < OPENING_CHARACTERS) this.#opening += text;
    }
  }

  #enter(element: Element): void {
    const { name, attribs } = element;
    if (SILENT.has(name)) this.#silent++;
    switch (name) {
      case "script":
        this.#scripts++;
        break;
      case "input":
        if (attribs["type"]?.toLowerCase() === "password") this.#passwordInputs++;
        break;
      case "title":
        if (this.#title === "") this.#reading ??= element;
        break;
      case "h1":
        if (this.#heading === "") this.#reading ??= element;
        break;
      case "noscript":
        this.#noscripts++;
        break;
      default:
    }
    if (MOUNTS.has(attribs["id"] ?? name) && !element.children.some(holdsElementOrText))
      this.#emptyMounts++;
  }

  #leave(element: Element): void {
    if (SILENT.has(element.name)) this.#silent--;
    else if (element.name === "noscript") this.#noscripts--;
    if (element === this.#reading) this.#reading = undefined;
  }
}

function holdsElementOrText(node: AnyNode): boolean {
  if (node.type === "text") return node.data.trim() !== "";
  return (
    "name" in node && node.name !== "script" && node.name !== "style" && node.name !== "noscript"
  );
}

/** Runs of non-space; each ideograph, kana or hangul syllable counts as half a word. */
function countWords(text: string): number {
  let words = 0;
  let inside = false;
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 0xa0) inside = false;
    else if (code >= 0x2e80 && code <= 0xd7ff) {
      wide += 1;
      inside = false;
    } else if (!inside) {
      inside = true;
      words += 1;
    }
  }
  return words + Math.ceil(wide / 2);
}
