import { type Element, isTag } from "domhandler";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  getClassNumber,
  mayHaveUncommon,
  createElement,
  rename,
  getElementTagNumber,
} from "./nodes.ts";
import { parseHtml } from "./parse.ts";
import { getTagNumber, tagNumber } from "./tag-numbers.ts";
import { listElements } from "./tree.ts";

const parseFirst = (html: string): Element => {
  const [node] = parseHtml(html).children;
  if (node === undefined || !isTag(node)) throw new Error("no element");
  return node;
};

describe("getElementTagNumber", () => {
  it("returns the number of the element's name anywhere in the page", () => {
    const page = parseHtml(
      "<image><P>a<svg><title>b</title><clippath/><foreignObject><p>c</svg><x-y></br></p>",
    );
    const elements = listElements(page);
    expect(elements.map(({ name }) => name)).toContain("x-y");
    for (const element of elements)
      expect(getElementTagNumber(element)).toBe(getTagNumber(element.name));
  });

  it("returns the number of the new name after a rename", () => {
    const frame = parseFirst("<iframe></iframe>");
    rename(frame, "div");
    expect([frame.name, getElementTagNumber(frame)]).toEqual(["div", tagNumber("div")]);
  });

  it("returns 0 for tags without a registered number", () => {
    expect(getElementTagNumber(parseFirst("<x-y>a"))).toBe(0);
    expect(() => tagNumber("x-y")).toThrow(RangeError);
  });
});

describe("getClassNumber", () => {
  it("returns the same number for elements with the same class attribute", () => {
    const [first, other, none, again, empty] = listElements(
      parseHtml("<p class=a></p><p class='a b'></p><p></p><p class=&#97;></p><p class></p>"),
    ).map(getClassNumber);
    expect(first).toBeGreaterThan(0);
    expect(other).toBeGreaterThan(0);
    expect(other).not.toBe(first);
    expect(none).toBe(0);
    expect([first, other]).not.toContain(empty);
    expect(again).not.toBe(other);
  });

  it("assigns each number to one class value only, on any page", () => {
    const unit = fc.constantFrom("a", "&amp;", " ", "b");
    const values = fc.array(fc.string({ unit, maxLength: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(values, (classes) => {
        const page = parseHtml(classes.map((value) => `<p class="${value}"></p>`).join(""));
        const known = new Map<number, string | undefined>();
        for (const element of listElements(page)) {
          const number = getClassNumber(element);
          const value = element.attribs["class"];
          expect(known.get(number) ?? value).toBe(value);
          known.set(number, value);
        }
        expect(known.has(0) || known.has(-1)).toBe(false);
      }),
    );
  });

  it("returns -1 after the attributes were replaced", () => {
    const element = parseFirst("<p class=a>");
    element.attribs = { class: "b" };
    expect(getClassNumber(element)).toBe(-1);
  });
});

describe("mayHaveUncommon", () => {
  it.each(["<p>", "<p class=a>", '<a class=a href="b&amp;c" id=d title=e>'])(
    "returns false for common attributes: %s",
    (html) => {
      expect(mayHaveUncommon(parseFirst(html))).toBe(false);
    },
  );

  it.each(["<p role=note>", "<p CLASS=a data-b>", "<p class=a x>"])(
    "returns true for uncommon attributes: %s",
    (html) => {
      const [element, next] = listElements(parseHtml(`${html}</p><p>`)) as [Element, Element];
      expect([mayHaveUncommon(element), mayHaveUncommon(next)]).toEqual([true, false]);
    },
  );

  it("returns true after the attributes were replaced, and for elements made by hand", () => {
    const element = parseFirst("<p>");
    element.attribs = { role: "note" };
    expect(mayHaveUncommon(element)).toBe(true);
    expect(mayHaveUncommon(createElement("p", {}))).toBe(true);
  });
});
