import { expect, test } from "vitest";
import { createElement, createText } from "../parse/nodes.ts";
import { NOTABLE } from "./artifacts.ts";
import { isBesideCode, isLigature, isPermalink } from "./labels.ts";
import { findFormula } from "./math.ts";

/** Builds an element with a name, classes and text. */
const build = (name: string, classes: string, text: string) =>
  createElement(name, { class: classes }, [createText(text)]);

test.each(["math", "math-tex", "arithmatex", "tex2jax_process"])(
  "matches NOTABLE for a formula of class %s",
  (classes) => {
    expect(findFormula(build("span", classes, String.raw`\(x^2\)`))).toBeDefined();
    expect(classes).toMatch(NOTABLE);
  },
);

test.each(["mw-editsection", "mw-cite-backlink"])(
  "matches NOTABLE for a heading mark of class %s",
  (classes) => {
    expect(isPermalink(build("span", classes, "edit"), false)).toBe(true);
    expect(classes).toMatch(NOTABLE);
  },
);

test.each(["material-icons", "material-symbols-outlined", "mat-icon", "google-symbols"])(
  "matches NOTABLE for an icon of class %s",
  (classes) => {
    expect(isLigature(build("span", classes, "arrow_drop_down"))).toBe(true);
    expect(classes).toMatch(NOTABLE);
  },
);

test.each(["language-name", "code-lang", "code-block-lang", "highlight-lang", "line-numbers"])(
  "matches NOTABLE for an element beside code with class %s",
  (classes) => {
    expect(isBesideCode(build("div", classes, "1 2 3"), classes)).toBe(true);
    expect(classes).toMatch(NOTABLE);
  },
);
