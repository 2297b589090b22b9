// Describes the tone and style of a page with rough words derived from colors, shapes and wording.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import type { Branding } from "../../contract/page/branding.ts";
import { computeContrast, toHex, toPerceived } from "./color.ts";
import type { PageColors } from "./colors.ts";
import type { Look } from "./looks.ts";
import { findCommonest, readStack } from "./typography.ts";

/** Returns style and color of the icons, or nothing if the page shows no small drawings. */
export function findIcons(looks: readonly Look[]): Record<string, string> {
  const icons = looks.filter(
    ({ element }) => element.tag === "svg" && element.box[2] <= 64 && element.box[3] <= 64,
  );
  if (icons.length === 0) return {};
  const lined = icons.filter(
    ({ style }) => style.stroke !== "none" && style.stroke !== "" && style.fill === "none",
  );
  const color = findCommonest(icons, (look) => toHex(look.color));
  return {
    style: lined.length * 2 > icons.length ? "outline" : "filled",
    ...(color === undefined ? {} : { primaryColor: color }),
  };
}

const joinPageText = (evidence: BrandingEvidence): string =>
  [
    evidence.title,
    ...evidence.metas.map(([, content]) => content),
    ...evidence.elements.map(({ text }) => text),
  ]
    .join(" ")
    .toLowerCase()
    .slice(0, 40_000);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

export function findTone(evidence: BrandingEvidence): Record<string, string> {
  const words = joinPageText(evidence);
  const emoji = count(words, /\p{Emoji_Presentation}/gu);
  const lively = count(words, /!|\b(?:hey|awesome|love|fun|let's|yay|easy)\b/g);
  const direct = count(words, /\b(?:you|your|we|our)\b/g);
  const stiff = count(
    words,
    /\b(?:pursuant|hereby|regulation|department|committee|compliance|statutory|ministry)\b/g,
  );
  const all = Math.max(1, count(words, /\s+/g));
  const friendly = lively / all > 0.006 || direct / all > 0.04;
  return {
    voice: stiff > 3 && stiff > lively ? "formal" : friendly ? "friendly" : "neutral",
    emojiUsage: emoji === 0 ? "none" : emoji / all < 0.02 ? "low" : "high",
  };
}

const AUDIENCES: readonly (readonly [string, RegExp])[] = [
  [
    "developers",
    /\b(?:api|sdk|developers?|github|docs|documentation|code|deploy|open source|cli|npm|webhook)\b/g,
  ],
  [
    "shoppers",
    /\b(?:cart|basket|add to cart|checkout|delivery|sale|in stock|shop|returns|price|buy)\b/g,
  ],
  [
    "businesses",
    /\b(?:teams?|enterprise|pricing|customers|demo|workflow|payroll|suppliers?|b2b|crm|invoices?|sales)\b/g,
  ],
  [
    "readers",
    /\b(?:article|read|subscribe|newsletter|author|posted|blog|news|comments|letters)\b/g,
  ],
  ["learners", /\b(?:course|lesson|students?|learn|tutorial|university|school)\b/g],
];

export function findPersonality(
  evidence: BrandingEvidence,
  { roles, scheme }: PageColors,
  radius: string,
): NonNullable<Branding["personality"]> {
  const words = joinPageText(evidence);
  const [audience] = AUDIENCES.map(([name, pattern]) => ({
    name,
    hits: count(words, pattern),
  })).toSorted((a, b) => b.hits - a.hits);
  const chroma = roles.primary === undefined ? 0 : toPerceived(roles.primary).chroma;
  const round = Number.parseFloat(radius) || 0;
  const family = evidence.styles.map(({ fontFamily }) => readStack(fontFamily)).at(-1) ?? [];
  const serif = family.includes("serif");
  const contrast =
    roles.primary !== undefined && roles.background !== undefined
      ? computeContrast(roles.primary, roles.background)
      : 1;
  return {
    tone: findVisualTone(chroma, round, serif, scheme),
    energy: chroma > 0.17 && contrast > 2.5 ? "high" : chroma > 0.08 ? "medium" : "low",
    targetAudience: audience !== undefined && audience.hits >= 2 ? audience.name : "general",
  };
}

function findVisualTone(
  chroma: number,
  radius: number,
  serif: boolean,
  scheme: "light" | "dark",
): NonNullable<Branding["personality"]>["tone"] {
  if (serif) return "traditional";
  if (chroma < 0.03) return "minimalist";
  if (chroma > 0.19 && radius >= 14) return "playful";
  if (chroma > 0.19 && scheme === "dark") return "bold";
  return radius >= 6 ? "modern" : "professional";
}
