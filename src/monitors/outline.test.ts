import { describe, expect, it } from "vitest";
import { buildOutline } from "./outline.ts";

describe("outline of a page", () => {
  const shop = (items: string, extra = ""): string =>
    `<main id="shop"><h1>Lamps</h1><ul>${items}</ul>${extra}</main>`;

  it("stays equal when the text or the length of a list changes", () => {
    const before = buildOutline(shop("<li>One</li><li>Two</li>"));
    expect(buildOutline(shop("<li>1</li><li>2</li><li><b>3</b></li>"))).toBe(before);
    expect(before).toContain("main#shop");
  });

  it("changes when an element appears", () => {
    const form = '<form><input type="password"></form>';
    expect(buildOutline(shop("<li>One</li>", form))).toContain("input[password]");
    expect(buildOutline(shop("<li>One</li>", form))).not.toBe(buildOutline(shop("<li>One</li>")));
  });

  it("leaves out generated ids", () => {
    expect(buildOutline('<p id="x81f3">a</p>')).toBe(buildOutline('<p id="x92a4">b</p>'));
  });
});
