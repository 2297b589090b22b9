import { expect, test } from "vitest";
import { newElement, newText } from "../parse/nodes.ts";
import { NOTABLE } from "./debris.ts";
import { isBesideCode, isLigature, isPermalink } from "./labels.ts";
import { formulaOf } from "./math.ts";

/** An element of this name and these classes with a text in it. */
const build = (name: string, classes: string, text: string) =>
  newElement(name, { class: classes }, [newText(text)]);

test.each(["math", "math-tex", "arithmatex", "tex2jax_process"])(
  "a formula of class %s is asked for",
  (classes) => {
    expect(formulaOf(build("span", classes, String.raw`\(x^2\)`))).toBeDefined();
    expect(classes).toMatch(NOTABLE);
  },
);

test.each(["mw-editsection", "mw-cite-backlink"])("a mark of class %s is asked for", (classes) => {
  expect(isPermalink(build("span", classes, "edit"), false)).toBe(true);
  expect(classes).toMatch(NOTABLE);
});

test.each(["material-icons", "material-symbols-outlined", "mat-icon", "google-symbols"])(
  "an icon of class %s is asked for",
  (classes) => {
    expect(isLigature(build("span", classes, "arrow_drop_down"))).toBe(true);
    expect(classes).toMatch(NOTABLE);
  },
);

test.each(["language-name", "code-lang", "code-block-lang", "highlight-lang", "line-numbers"])(
  "what stands beside code with class %s is asked for",
  (classes) => {
    expect(isBesideCode(build("div", classes, "1 2 3"), classes)).toBe(true);
    expect(classes).toMatch(NOTABLE);
  },
);
