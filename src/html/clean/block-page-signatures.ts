// Structural signatures of the pages that bot checks and firewalls send instead of the requested
// page. An entry matches elements and inline scripts, never words alone, because articles about bot
// checks contain the same words. Only `text` matches words, and it must match the whole visible
// text.
import type { Document } from "domhandler";
import { isTag } from "domhandler";
import { getNextNode, readText } from "../parse/tree.ts";

export type BlockMark = {
  readonly product: string;
  readonly verdict: "bot_check" | "blocked";
  /** False if pages with real content can carry the signature too. */
  readonly certain: boolean;
};

type Signature = BlockMark & {
  /** Each pattern must match an element's start tag, written as `<name attribute="value">`. */
  readonly elements?: readonly RegExp[];
  /** Each pattern must match the text of an inline script. */
  readonly scripts?: readonly RegExp[];
  /** Must match all visible text of the page, with whitespace collapsed. */
  readonly text?: RegExp;
  /** A page with more words has its own content. */
  readonly maxWords: number;
  /** A page with more scripts is an application. */
  readonly maxScripts?: number;
  /** Public description or capture of the page. */
  readonly source: string;
};

const CLOUDFLARE_DOCS = "https://developers.cloudflare.com/cloudflare-challenges/challenge-types/";
const AWS_WAF_DOCS =
  "https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html";
const IDENT_Y_WAF = "https://github.com/stamparm/identYwaf";
const IS_ANTIBOT = "https://github.com/microlinkhq/is-antibot";

/** Maximum words of an interstitial page. Longer pages are not searched for signatures. */
export const MAX_INTERSTITIAL_WORDS = 250;

const createBotCheckSignature = (
  product: string,
  rest: Omit<Signature, keyof BlockMark> & { readonly certain?: false },
): Signature => ({ product, verdict: "bot_check", certain: true, ...rest });

const block = (
  product: string,
  rest: Omit<Signature, keyof BlockMark> & { readonly certain?: false },
): Signature => ({ product, verdict: "blocked", certain: true, ...rest });

const SIGNATURES: readonly Signature[] = [
  createBotCheckSignature("Cloudflare", {
    scripts: [/window\._cf_chl_opt\s?=/],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: CLOUDFLARE_DOCS,
  }),
  createBotCheckSignature("Cloudflare", {
    elements: [/^<script .*src="[^"]*\/cdn-cgi\/challenge-platform\/h\/[a-z]\/orchestrate\//],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: "https://github.com/scaredos/cfresearch",
  }),
  createBotCheckSignature("Cloudflare", {
    elements: [/^<form .*id="challenge-form"/, /^<form .*action="[^"]*__cf_chl_/],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: CLOUDFLARE_DOCS,
  }),
  block("Cloudflare", {
    elements: [/ id="cf-error-details"/, / data-translate="block_headline"/],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source:
      "https://developers.cloudflare.com/support/troubleshooting/http-status-codes/4xx-client-error/",
  }),
  block("Cloudflare", {
    certain: false,
    elements: [/ id="cf-error-details"/],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source:
      "https://developers.cloudflare.com/support/troubleshooting/http-status-codes/4xx-client-error/",
  }),
  createBotCheckSignature("DataDome", {
    elements: [/^<script .*src="https:\/\/ct\.captcha-delivery\.com\/[a-z]+\.js"/],
    scripts: [/\bdd\s?=\s?\{/],
    maxWords: 60,
    source: "https://stackhack.netwrck.com/stack/thefork.com",
  }),
  createBotCheckSignature("DataDome", {
    certain: false,
    elements: [/^<(?:script|iframe) .*src="https:\/\/(?:ct|geo)\.captcha-delivery\.com\//],
    maxWords: 60,
    source: "https://docs.datadome.co/docs/rule-responses",
  }),
  createBotCheckSignature("HUMAN", {
    elements: [/ id="px-captcha"/],
    scripts: [/window\._pxAppId\s?=/],
    maxWords: 120,
    source: "https://github.com/PerimeterX/perimeterx-nginx-plugin",
  }),
  createBotCheckSignature("HUMAN", {
    certain: false,
    elements: [/ id="px-captcha"/],
    maxWords: 120,
    source: "https://github.com/PerimeterX/perimeterx-nginx-plugin",
  }),
  createBotCheckSignature("Imperva", {
    elements: [/^<iframe .*src="\/_Incapsula_Resource\?/],
    maxWords: 30,
    source: "https://scrappey.com/qa/web-automation/how-imperva-detects-bots",
  }),
  createBotCheckSignature("Imperva", {
    // Pages with content load the same script, but here it is the whole page.
    elements: [/^<script .*src="\/_Incapsula_Resource\?/, /^<meta .*content="noindex, ?nofollow"/i],
    maxWords: 0,
    maxScripts: 1,
    source: IS_ANTIBOT,
  }),
  createBotCheckSignature("Akamai", {
    elements: [/ id="sec-if-cpt-container"/],
    maxWords: 60,
    source: "https://github.com/germondai/trawl/pull/33",
  }),
  block("Akamai", {
    text: /^Access Denied You don't have permission to access "[^"]{1,2000}" on this server\. Reference #[\da-f.]+(?: https:\/\/errors\.edgesuite\.net\/[\da-f.]+)?$/,
    maxWords: 40,
    source: IDENT_Y_WAF,
  }),
  createBotCheckSignature("AWS WAF", {
    elements: [/^<script .*src="https:\/\/[^"/]+\.awswaf\.com\//],
    scripts: [/window\.gokuProps\s?=/],
    maxWords: 60,
    source: AWS_WAF_DOCS,
  }),
  block("CloudFront", {
    text: /^403 ERROR The request could not be satisfied\. Request blocked\. .{1,900} Generated by cloudfront \(CloudFront\) Request ID: \S+$/,
    maxWords: 120,
    source:
      "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/http-403-permission-denied.html",
  }),
  createBotCheckSignature("Anubis", {
    elements: [/^<script .*id="(?:anubis_challenge|preact_info)"/, /"\/\.within\.website\/x\//],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: "https://github.com/TecharoHQ/anubis/blob/main/web/index.templ",
  }),
  createBotCheckSignature("Anubis", {
    elements: [
      /^<script .*id="anubis_version"/,
      /^<script .*src="\/\.within\.website\/x\/cmd\/anubis\//,
    ],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: "https://github.com/TecharoHQ/anubis/blob/main/web/index.templ",
  }),
  createBotCheckSignature("go-away", {
    elements: [
      /^<link .*href="\/\.well-known\/\.git\.gammaspectra\.live\/git\/go-away\/cmd\/go-away\//,
    ],
    maxWords: MAX_INTERSTITIAL_WORDS,
    source: "https://git.gammaspectra.live/git/go-away",
  }),
  createBotCheckSignature("Kasada", {
    elements: [/^<script .*src="[^"]*\/ips\.js\?/],
    scripts: [/window\.KPSDK\s?=\s?\{\}/],
    maxWords: 10,
    source: "https://blog.crawlex.net/blog/kasada-kpsdk-token-vm",
  }),
  createBotCheckSignature("Sucuri", {
    scripts: [/\bsucuri_cloudproxy_js\s?=/],
    maxWords: 30,
    source: "https://github.com/Anorov/cloudflare-scrape/issues/277",
  }),
  createBotCheckSignature("DDoS-Guard", {
    elements: [/^<script .*src="\/\.well-known\/ddos-guard\/js-challenge\//],
    maxWords: 100,
    source: "https://github.com/FlareSolverr/FlareSolverr",
  }),
  createBotCheckSignature("DDoS-Guard", {
    certain: false,
    elements: [/^<script .*src="https:\/\/check\.ddos-guard\.net\//],
    maxWords: 100,
    source: "https://github.com/FlareSolverr/FlareSolverr",
  }),
  createBotCheckSignature("Alibaba Cloud", {
    scripts: [/\bvar arg1\s?=\s?'[\dA-F]{30,64}'/, /acw_sc__v2/],
    maxWords: 10,
    source: "https://github.com/11273/mooc-work-answer/blob/main/README_ACW_SC__V2.md",
  }),
  createBotCheckSignature("Amazon", {
    elements: [/^<form .*action="[^"]*\/errors\/validateCaptcha"/],
    scripts: [/"opfcaptcha\.amazon\./],
    maxWords: 120,
    source: IS_ANTIBOT,
  }),
  createBotCheckSignature("SiteGround", {
    elements: [/^<meta .*content="\d{1,3}; ?(?:url=)?\/\.well-known\/(?:sg)?captcha\//i],
    maxWords: 10,
    source: "https://github.com/11ty/docs/pull/835",
  }),
  block("F5", {
    text: /^The requested URL was rejected\. Please consult with your administrator\. Your support ID is: \d+(?: \[Go Back\])?$/,
    maxWords: 30,
    source: IDENT_Y_WAF,
  }),
];

/** Maximum start tags and inline scripts to check. Bot-check pages are small. */
const MAX_ELEMENTS = 2_000;
const MAX_TAG_CHARACTERS = 1_000;
const MAX_SCRIPT_LENGTH = 60_000;
const MAX_SCRIPTS_LENGTH = 600_000;
const MAX_TEXT_LENGTH = 4_000;

export type ShortPageSigns = {
  readonly marks: readonly BlockMark[];
  /** True if the page holds a CAPTCHA widget. */
  readonly hasCaptcha: boolean;
  /** True if the page asks for an account name. */
  readonly asksForAccount: boolean;
};

const NO_SIGNS: ShortPageSigns = { marks: [], hasCaptcha: false, asksForAccount: false };

const CAPTCHA_WIDGET =
  / class="(?:[^"]* )?(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha)[ "]|^<iframe .*src="https:\/\/(?:www\.google\.com\/recaptcha|newassets\.hcaptcha\.com)\//;
const ACCOUNT_FIELD =
  /^<input .*(?:autocomplete="(?:[^"]* )?username"|name="(?:identifier|loginfmt|username|user_login|session_key)")/;

/**
 * Finds signatures of bot checks, firewalls and logins on a page with few words. Longer pages have
 * none.
 */
export function readShortPageSigns(
  document: Document,
  { words, scripts }: { readonly words: number; readonly scripts: number },
): ShortPageSigns {
  if (words >= MAX_INTERSTITIAL_WORDS) return NO_SIGNS;
  const traces = readTraces(document);
  const isIn = (list: readonly string[], patterns: readonly RegExp[] = []): boolean =>
    patterns.every((pattern) => list.some((entry) => pattern.test(entry)));
  const found = SIGNATURES.filter(
    (signature) =>
      words <= signature.maxWords &&
      scripts <= (signature.maxScripts ?? Infinity) &&
      isIn(traces.elements, signature.elements) &&
      isIn(traces.scripts, signature.scripts) &&
      (signature.text === undefined || signature.text.test(traces.text)),
  );
  return {
    marks: found.map(({ product, verdict, certain }) => ({ product, verdict, certain })),
    hasCaptcha: traces.elements.some((element) => CAPTCHA_WIDGET.test(element)),
    asksForAccount: traces.elements.some((element) => ACCOUNT_FIELD.test(element)),
  };
}

type Traces = {
  readonly elements: readonly string[];
  readonly scripts: readonly string[];
  readonly text: string;
};

function readTraces(document: Document): Traces {
  const elements: string[] = [];
  const scripts: string[] = [];
  let left = MAX_SCRIPTS_LENGTH;
  for (
    let node = getNextNode(document, document);
    node !== null;
    node = getNextNode(node, document)
  ) {
    if (!isTag(node)) continue;
    if (elements.length === MAX_ELEMENTS) break;
    const attributes = Object.entries(node.attribs).map(
      ([name, value]) => ` ${name}="${quote(value)}"`,
    );
    elements.push(`<${node.name}${attributes.join("")}>`.slice(0, MAX_TAG_CHARACTERS));
    if (node.name !== "script" || node.children.length === 0 || left <= 0) continue;
    const script = readText(node, Math.min(left, MAX_SCRIPT_LENGTH));
    left -= script.length;
    scripts.push(script);
  }
  return { elements, scripts, text: readVisibleText(document) };
}

/** Escaped so that a value with quotation marks cannot look like two attributes. */
const quote = (value: string): string => value.replace(/\s+/g, " ").replaceAll('"', "&quot;");

const HIDDEN_TAGS = new Set(["head", "script", "style", "noscript", "template", "svg"]);

function readVisibleText(document: Document): string {
  const parts: string[] = [];
  let length = 0;
  for (
    let node = getNextNode(document, document);
    node !== null && length < MAX_TEXT_LENGTH;
    node = getNextNode(node, document, isTag(node) && HIDDEN_TAGS.has(node.name))
  ) {
    if (node.type !== "text") continue;
    parts.push(node.data);
    length += node.data.length;
  }
  return parts.join(" ").replace(/\s+/g, " ").trim();
}
