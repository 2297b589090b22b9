import { expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { findElement } from "../parse/tree.ts";
import { convertMathmlToTex } from "./mathml.ts";

function toTex(markup: string): string {
  const math = findElement(parseHtml(`<math>${markup}</math>`), ({ name }) => name === "math");
  if (math === undefined) throw new Error("no formula");
  return convertMathmlToTex(math);
}

it.each([
  [
    "writes a fraction with a bar as a quotient",
    "<mfrac><mi>n</mi><mi>k</mi></mfrac>",
    "\\frac{n}{k}",
  ],
  [
    "writes a fraction with a thick bar as a quotient",
    '<mfrac linethickness="2px"><mi>n</mi><mi>k</mi></mfrac>',
    "\\frac{n}{k}",
  ],
  [
    "writes a fraction without a bar as no quotient",
    '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>',
    "\\genfrac{}{}{0pt}{}{n}{k}",
  ],
  [
    "reads the thickness of a bar with its unit",
    '<mfrac linethickness="0pt"><mi>n</mi><mi>k</mi></mfrac>',
    "\\genfrac{}{}{0pt}{}{n}{k}",
  ],
])("%s", (_title, markup, tex) => {
  expect(toTex(markup)).toBe(tex);
});
