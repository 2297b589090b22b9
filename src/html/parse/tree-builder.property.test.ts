// Compares trees with parse5, which follows the HTML standard. Excluded: html, head, body and
// tbody, which are only created if written, comments, attributes, and noscript content.
import { readdirSync, readFileSync } from "node:fs";
import { type AnyNode, isTag, isText } from "domhandler";
import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { expect, test } from "vitest";
import { parseHtml } from "./parse.ts";

const VIRTUAL = new Set(["html", "head", "body", "tbody"]);
const SKIPPED = new Set(["noscript", "template"]);

const PIECES = [
  "<p>", "</p>", "<div>", "</div>", "<ul>", "</ul>", "<li>", "</li>", "<dl>", "<dt>", "<dd>", "</dl>", "<h1>", "</h1>", "<h2>",
  "</h2>", "<b>", "</b>", "<i>", "</i>", "<a href=x>", "</a>", "<span>", "</span>", "<table>", "</table>", "<tr>", "</tr>", "<td>",
  "</td>", "<th>", "<tbody>", "<thead>", "<caption>", "</caption>", "<form>", "</form>", "<button>", "</button>", "<br>", "</br>",
  "<img>", "<hr>", "<ruby>", "<rt>", "<rp>", "</ruby>", "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<section>",
  "</section>", "<head>", "</head>", "<body>", "</body>", "</html>", "<title>t</title>", "<meta>", "<style>s</style>",
  "<script>s</script>", "<svg>", "</svg>", "<foreignObject>", "</foreignObject>", "<math>", "<mi>", "</math>", "<font>", "</font>",
  "<center>", "<input>", "<label>", "</label>", "<nobr>", "</x>", "<x>", "one ", "two ", "three",
] as const; // prettier-ignore

type Item = string | readonly [name: string, children: readonly Item[]];

/** Flattens implied elements and joins adjacent texts. */
function join(items: Iterable<Item>): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (typeof item === "string" && typeof last === "string")
      joined[joined.length - 1] = last + item;
    else joined.push(item);
  }
  return joined
    .map((item) => (typeof item === "string" ? item.replaceAll(/\s+/g, " ").trim() : item))
    .filter((item) => item !== "");
}

function toItems(nodes: readonly AnyNode[]): Item[] {
  const read = (node: AnyNode): Item[] => {
    if (isText(node)) return [node.data];
    if (!isTag(node) || SKIPPED.has(node.name)) return [];
    const inside = node.children.flatMap(read);
    return VIRTUAL.has(node.name) ? inside : [[node.name, join(inside)]];
  };
  return join(nodes.flatMap(read));
}

function toStandardItems(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): Item[] {
  const read = (node: DefaultTreeAdapterTypes.ChildNode): Item[] => {
    if ("value" in node) return [node.value];
    if (!("childNodes" in node) || SKIPPED.has(node.nodeName)) return [];
    const inside = node.childNodes.flatMap(read);
    return VIRTUAL.has(node.nodeName) ? inside : [[node.nodeName, join(inside)]];
  };
  return join(nodes.flatMap(read));
}

const parseStandardTree = (html: string): Item[] => toStandardItems(parse(html).childNodes);
const parseOurTree = (html: string): Item[] => toItems(parseHtml(html).children);

test("parses generated tag soup into the tree of the HTML standard", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const html = `<!doctype html><html><body>${pieces.join("")}`;
      expect(parseOurTree(html)).toEqual(parseStandardTree(html));
    }),
    { numRuns: 3_000 },
  );
});

test("parses generated page heads into the tree of the HTML standard", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "<html>",
          "<head>",
          "</head>",
          "<body>",
          "</body>",
          "<title>t</title>",
          "<p>",
          "<div>",
          "text",
          "<table>",
          "<h1>",
        ),
        { maxLength: 9 },
      ),
      (pieces) => {
        const html = `<!doctype html>${pieces.join("")}`;
        expect(parseOurTree(html)).toEqual(parseStandardTree(html));
      },
    ),
    { numRuns: 1_000 },
  );
});

const GOLDEN = new URL("../../../test/golden/", import.meta.url);

test("parses the golden pages into the tree of the HTML standard", () => {
  for (const name of readdirSync(GOLDEN)) {
    const html = readPage(new URL(`${name}/page.html`, GOLDEN));
    // Our tree has streamed parts in their places.
    if (html === undefined || /<frameset|id="S:/.test(html)) continue;
    expect(parseOurTree(html), name).toEqual(parseStandardTree(html));
  }
});

function readPage(url: URL): string | undefined {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return undefined;
  }
}
