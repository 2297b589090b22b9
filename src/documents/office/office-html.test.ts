import type { Document, Inline } from "@firecrawl/anydoc";
import { describe, expect, it } from "vitest";
import { renderOffice } from "./office-html.ts";

const text = (value: string, style: object = {}): Inline =>
  ({ kind: "text", text: value, style }) as unknown as Inline;
const bodyOf = (...content: readonly Inline[]): string => {
  const document = { notes: [], blocks: [{ kind: "paragraph", content }] } as unknown as Document;
  const html = renderOffice(document, { headers: [], footers: [], sheet: undefined });
  return /<p>.*<\/p>/.exec(html)?.[0] ?? "";
};

describe("office documents as HTML", () => {
  it("merges adjacent runs with the same mark", () => {
    const bold = { bold: true };
    const both = { bold: true, italic: true };
    expect(bodyOf(text("and ", bold), text("some ", bold), text("text", bold))).toBe(
      "<p><strong>and some text</strong></p>",
    );
    expect(bodyOf(text("one ", both), text("two", both), text(" three"))).toBe(
      "<p><strong><em>one two</em></strong> three</p>",
    );
    expect(bodyOf(text("one", bold), text(" and "), text("two", bold))).toBe(
      "<p><strong>one</strong> and <strong>two</strong></p>",
    );
  });
});
