// Reads a page's looks. The reading functions run in an isolated world of the page's main frame: they see its DOM with
// built-ins of their own, so nothing the page has patched takes part.
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
 * Computed styles of visible elements, theme variables, telling stylesheet rules, fonts, logos and icons of the page as
 * it stands. Changes nothing in it. Throws SCRAPE_SITE_ERROR when the page does not answer within its budget.
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
    // Not waited for: a page that is stuck does not answer this either.
    void session.detach().catch(() => undefined);
  }
}
