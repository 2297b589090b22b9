// Collects evidence of a page's look. The functions run in an isolated world of the main frame with
// their own built-ins, so the page cannot interfere by patching.
import type { Page } from "playwright-core";
import { type BrandingEvidence, brandingEvidenceSchema } from "../../branding-evidence.ts";
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";
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
 * logos and icons of the current page, without changing it. Throws SCRAPE_SITE_ERROR if the page
 * does not respond within the budget.
 */
export async function collectBrandingEvidence(
  page: Page,
  deadline: Deadline,
): Promise<BrandingEvidence> {
  using budget = deadline.child(MAX_READING_MS);
  const session = await budget.race(page.context().newCDPSession(page));
  try {
    const { frameTree } = await budget.race(session.send("Page.getFrameTree"));
    const { executionContextId } = await budget.race(
      session.send("Page.createIsolatedWorld", {
        frameId: frameTree.frame.id,
        worldName: "branding",
      }),
    );
    const answer = await budget.race(
      session.send("Runtime.evaluate", {
        expression: EXPRESSION,
        contextId: executionContextId,
        returnByValue: true,
        timeout: budget.timeLeftMs(),
      }),
    );
    const checked = brandingEvidenceSchema.safeParse(answer.result.value);
    if (checked.success) return checked.data;
    const reason = answer.exceptionDetails?.exception?.description ?? checked.error.message;
    throw new TargetError("SCRAPE_SITE_ERROR", "The looks of the page could not be read.", {
      cause: new Error(reason.slice(0, 2000)),
    });
  } finally {
    // Not awaited, because a stuck page does not answer this either.
    void session.detach().catch(() => undefined);
  }
}
