import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { escapeInline } from "./escape.ts";

const escape = (text: string, before = ""): string =>
  escapeInline(text, { pairing: new Set(), inLink: false, before, after: "" });
const render = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

describe("a tag in text", () => {
  it("is escaped", () => {
    expect(escape("if a<b")).toBe("if a\\<b");
    expect(render(escape("<script>alert(1)</script>"))).not.toContain("<script");
  });

  it.each([
    "https://x.example/a<script>alert(1)</script>",
    "see www.x.example/<script>alert(1)</script>",
    `https://x.example/${"a".repeat(3_000)}<script>alert(1)</script>`,
    "(https://x.example/?q=<img src=x onerror=alert(1)>)",
  ])("is no tag behind a bare address either: %#", (text) => {
    expect(render(escape(text))).not.toMatch(/<(?:script|img)/);
  });

  it("is no tag where the address began in an earlier piece of the line", () => {
    expect(render(`https://x.example/a${escape("b<script>alert(1)", "a")}`)).not.toContain(
      "<script",
    );
  });

  it("takes time in keeping with the text", () => {
    expect(escape("<a".repeat(200_000))).toBe("\\<a".repeat(200_000));
  });
});
