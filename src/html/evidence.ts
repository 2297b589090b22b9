// What a page shows of itself before anyone decides what it is: counts and marks, read in one walk of the tree.
// engines/verdict.ts draws the conclusions.
import type { AnyNode, Document } from "domhandler";

export type Evidence = {
  /** Words a reader would see, outside script, style, noscript and template. */
  readonly words: number;
  readonly noscriptWords: number;
  readonly scripts: number;
  readonly passwordInputs: number;
  /** Elements an application mounts into that hold no text. */
  readonly emptyMounts: number;
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

export function readEvidence(document: Document, source: string): Evidence {
  let words = 0;
  let noscriptWords = 0;
  let scripts = 0;
  let passwordInputs = 0;
  let emptyMounts = 0;
  let title = "";
  let heading = "";
  const stack: Array<{
    node: AnyNode;
    silent: boolean;
    noscript: boolean;
    into: "title" | "heading" | undefined;
  }> = [];
  for (let index = document.children.length - 1; index >= 0; index -= 1) {
    stack.push({
      node: document.children[index] as AnyNode,
      silent: false,
      noscript: false,
      into: undefined,
    });
  }
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { node } = item;
    if (node.type === "text") {
      if (item.into === "title" && title.length < 500) title += node.data;
      if (item.into === "heading" && heading.length < 500) heading += node.data;
      if (item.noscript) noscriptWords += countWords(node.data);
      else if (!item.silent) words += countWords(node.data);
      continue;
    }
    if (!("children" in node)) continue;
    let { silent, noscript, into } = item;
    if ("name" in node) {
      if (node.name === "script") scripts += 1;
      if (node.name === "input" && node.attribs["type"]?.toLowerCase() === "password")
        passwordInputs += 1;
      if (node.name === "title" && title === "") into = "title";
      if (node.name === "h1" && heading === "") into = "heading";
      if (node.name === "noscript") noscript = true;
      if (SILENT.has(node.name)) silent = true;
      if (MOUNTS.has(node.attribs["id"] ?? node.name) && !node.children.some(holdsElementOrText))
        emptyMounts += 1;
    }
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      stack.push({ node: node.children[index] as AnyNode, silent, noscript, into });
    }
  }
  const searched =
    words + noscriptWords < INTERSTITIAL_WORDS ? source.slice(0, MARK_SEARCH_CHARACTERS) : "";
  const challengeMarks = CHALLENGE_MARKS.filter(([, pattern]) => pattern.test(searched)).map(
    ([name]) => name,
  );
  return {
    words,
    noscriptWords,
    scripts,
    passwordInputs,
    emptyMounts,
    title: title.trim(),
    heading: heading.trim(),
    challengeMarks,
  };
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
