// Probe that collects evidence of a page's look.
import { type BrandingEvidence, brandingEvidenceSchema } from "../../branding-evidence.ts";
import type { PageProbe } from "../page/page-probe.ts";
import { ELEMENT_FUNCTIONS } from "./elements.ts";
import { IMAGE_FUNCTIONS } from "./images.ts";
import { SHEET_FUNCTIONS } from "./style-sheets.ts";

const MAX_ELEMENTS = 2500;
const MAX_VISITS = 20_000;
const MAX_RULES = 3000;
const MAX_VARIABLES = 3000;
const MAX_READING_MS = 5000;

const FUNCTIONS = [...ELEMENT_FUNCTIONS, ...SHEET_FUNCTIONS, ...IMAGE_FUNCTIONS];

const EXPRESSION = `(() => {
"use strict";
${FUNCTIONS.map(String).join("\n")}
const root = document.documentElement;
return {
  url: location.href.slice(0, 4000),
  viewport: { width: innerWidth, height: innerHeight },
  documentHeight: Math.min(1e6, Math.round(root.scrollHeight)),
  colorScheme: getComputedStyle(root).getPropertyValue("color-scheme").slice(0, 120),
  rootWords: [root, document.body].flatMap((element) => element === null ? [] : element.getAttributeNames()
    .filter((name) => /^(?:class|id)$|theme|mode|scheme/i.test(name))
    .map((name) => name + "=" + element.getAttribute(name))).join(" ").slice(0, 300),
  ...sampleElements(${MAX_ELEMENTS}, ${MAX_VISITS}),
  variables: readVariables(${MAX_VARIABLES}),
  rules: readSheets(${MAX_RULES}),
  fontFaces: readFonts(300),
  logos: readLogos(40),
  ...readHead(),
};
})()`;

/**
 * Collects computed styles of visible elements, theme variables, relevant stylesheet rules, fonts,
 * logos and icons of the current page, without changing it.
 */
export const brandingProbe: PageProbe<BrandingEvidence> = {
  name: "branding",
  expression: EXPRESSION,
  schema: brandingEvidenceSchema,
  timeoutMs: MAX_READING_MS,
  subject: "The page's styles",
};
