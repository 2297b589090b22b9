import type { Document } from "domhandler";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildElementIndex,
  type ElementIndex,
  getElementIndex,
} from "../evidence/element-index.ts";
import { copyTree } from "./copy-tree.ts";
import { getClassNumber, mayHaveUncommon, getElementTagNumber } from "./nodes.ts";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { detach, listElements } from "./tree.ts";

const PIECES = [
  "text",
  "<p>",
  "</p>",
  "<div hidden>",
  "</div>",
  "<b>",
  "</b>",
  "<!--note-->",
  '<a class="x" href="/a" data-x="1">',
  "</a>",
  "<table>",
  "<td>",
  "<svg><title>",
  "</svg>",
  "<script>a</script>",
  "<template><p>",
  "</template>",
  "<noscript><img>",
  "</noscript>",
  "<br>",
  '<i id="root">',
  "<title>t</title>",
  "<!doctype html>",
];
const pages = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 30 })
  .map((parts) => parts.join(""));

const selectLists = ({
  signs,
  unprepared,
  nonContent,
  linking,
  mounts,
  notable,
}: ElementIndex) => ({
  signs,
  unprepared,
  nonContent,
  linking,
  mounts,
  notable,
});

/** True if every node of the list is in the tree. */
const isOf = (tree: Document, index: ElementIndex): boolean =>
  Object.values(selectLists(index))
    .flat()
    .every((node) => {
      let root = node.parent;
      while (root !== null && root.parent !== null) root = root.parent;
      return root === tree;
    });

describe("copyTree", () => {
  it("copies every page with its structure and its index, and shares no node", () => {
    fc.assert(
      fc.property(pages, (html) => {
        const page = parseHtml(html);
        const copy = copyTree(page);
        expect(toHtml(copy)).toBe(toHtml(page));
        const index = getElementIndex(copy);
        expect(isOf(copy, index)).toBe(true);
        const built = selectLists(buildElementIndex(copy));
        for (const [name, list] of Object.entries(selectLists(index)))
          expect(
            list.map((node) => built[name as keyof typeof built].indexOf(node as never)),
          ).toEqual(list.map((_, at) => at));
        const [elements, copies] = [listElements(page), listElements(copy)];
        expect(new Set(elements).intersection(new Set(copies)).size).toBe(0);
        expect(
          copies.map((element) => [
            getElementTagNumber(element),
            getClassNumber(element),
            mayHaveUncommon(element),
          ]),
        ).toEqual(
          elements.map((element) => [
            getElementTagNumber(element),
            getClassNumber(element),
            mayHaveUncommon(element),
          ]),
        );
        for (const { children, firstChild, lastChild } of copies) {
          expect([firstChild?.prev ?? null, lastChild?.next ?? null]).toEqual([null, null]);
          for (const [at, child] of children.entries())
            expect(child.next).toBe(children[at + 1] ?? null);
        }
      }),
    );
  });

  it("indexes a page anew that was changed after it was indexed", () => {
    const page = parseHtml('<script>1</script><p hidden>a</p><a href="/b">b</a>');
    detach(listElements(page)[0]!);
    const copy = copyTree(page);
    const index = getElementIndex(copy);
    expect(isOf(copy, index)).toBe(true);
    expect([index.nonContent.length, index.notable.length, index.linking.length]).toEqual([
      0, 1, 1,
    ]);
  });

  it("keeps the names of elements that were never closed", () => {
    const page = parseHtml("<title>Lamps<p>Text that follows.</p>");
    expect(getElementIndex(copyTree(page)).unclosed).toEqual(getElementIndex(page).unclosed);
  });
});

describe("a copy", () => {
  it("modifies a copy without changing its page", () => {
    const html = '<a class="x" href="/a">a</a><p>b</p>';
    const page = parseHtml(html);
    const copy = copyTree(page);
    const [link, paragraph] = listElements(copy);
    link!.attribs["href"] = "/changed";
    detach(paragraph!);
    expect(toHtml(copy)).toBe('<a class="x" href="/changed">a</a>');
    expect(toHtml(page)).toBe(html);
  });
});
