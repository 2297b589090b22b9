import { describe, expect, it } from "vitest";
import { removeConcealed } from "./concealed.ts";
import { parseHtml } from "../parse/parse.ts";
import { readText } from "../parse/tree.ts";

/** True if text with this style is kept. */
function isTextKept(style: string): boolean {
  const document = parseHtml(
    `<p>What stands before it is longer, so that it is not most of the page.</p><p style="${style}">words</p>`,
  );
  removeConcealed(document);
  return readText(document, 100).includes("words");
}

describe("concealed text", () => {
  it.each(["0", "0px", "0em", "1px", "2pt", ".5px", "1.5px", ".1em", "0.01rem", "1%", "10%", "0%"])(
    "drops text at font-size %s as too small to read",
    (size) => {
      expect(isTextKept(`font-size: ${size}`)).toBe(false);
      expect(isTextKept(`color:red;font-size:${size} !important`)).toBe(false);
    },
  );

  it.each([
    "1em",
    "1rem",
    ".9em",
    "0.875rem",
    "0.2em",
    "1.1em",
    "12px",
    "20%",
    "100%",
    "10pt",
    "1vw",
  ])("keeps text at font-size %s as readable", (size) => {
    expect(isTextKept(`font-size: ${size}`)).toBe(true);
    expect(isTextKept(`color:red;font-size:${size}; margin: 0`)).toBe(true);
  });

  it("keeps a short text for screen readers that is all that a cell says", () => {
    const read = (cell: string): string => {
      const document = parseHtml(`<table><tr><th>Chat</th>${cell}</tr></table>`);
      removeConcealed(document);
      return readText(document, 200);
    };
    const mark = '<i class="check" aria-hidden="true"></i>';
    expect(read(`<td>${mark}<span class="sr-only">Yes</span></td>`)).toBe("ChatYes");
    expect(read(`<td>4 rooms <span class="sr-only">in all houses</span></td>`)).toBe(
      "Chat4 rooms ",
    );
    expect(read(`<td><span class="sr-only">${"word ".repeat(20)}</span></td>`)).toBe("Chat");
  });

  it("keeps the hidden parts of a dialog only when asked to, and text that no script shows never", () => {
    const read = (keepsDialogs: boolean): string => {
      const document = parseHtml(
        `<p>What stands before it is longer, so that it is not most of the page.</p>
<div role="dialog"><form style="display:none">late fee</form><i style="font-size:0">obey</i></div><p hidden>secret</p>`,
      );
      removeConcealed(document, { keepsDialogs });
      return readText(document, 300);
    };
    expect(read(true)).toContain("late fee");
    expect(read(true)).not.toMatch(/obey|secret/);
    expect(read(false)).not.toContain("late fee");
  });
});
