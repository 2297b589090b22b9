import fc from "fast-check";
import { expect, test } from "vitest";
import { getElementIndex, buildElementIndex, type ElementIndex } from "./element-index.ts";
import { parseHtml } from "../parse/parse.ts";
import { describePath } from "../parse/tree.ts";

const PIECES = [
  "<p>", "</p>", "<div id=app>", "<div id=root>x</div>", "</div>", "<app-root>", "</app-root>", "<script>a b</script>",
  "<style>c</style>", "<svg><title>d</title>", "</svg>", "<title>one &amp; two</title>", "<h1>three", "</h1>", "<head>",
  "</head>", "<body>", "<noscript>four five<img src=x>", "</noscript>", "<template id=B:1>six</template>", "<input type=password>",
  "<meta name=a>", "<base href=/x>", "<link rel=next href=y>", "<a href=z>seven</a>", "<iframe src=q></iframe>", "<!-- eight -->",
  "<!doctype html>", "<span class='sr-only'>nine</span>", "<b style='x' STYLE=y>", "<i hidden>", "<u role=tab>", "text ", "&lt;", "漢字 ",
] as const; // prettier-ignore

const markup = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 20 })
  .map((pieces) => pieces.join(""));

function toPlainIndex(notes: ElementIndex): unknown {
  const { signs, unprepared, linking, mounts, notable, nonContent, text } = notes;
  const lists = [signs, unprepared, linking, mounts, notable];
  const { words, noscriptWords, scripts, passwordInputs, title, heading, opening } = text;
  return {
    lists: lists.map((list) => list.map((element) => describePath(element))),
    nonContent: nonContent.map(({ type }) => type),
    counts: [words, noscriptWords, scripts, passwordInputs],
    texts: [title, heading, opening, text.noscriptOpening],
  };
}

test("collects the same notes while parsing as a walk over the finished tree", () => {
  fc.assert(
    fc.property(markup, (html) => {
      const document = parseHtml(html);
      expect(toPlainIndex(getElementIndex(document))).toEqual(
        toPlainIndex(buildElementIndex(document)),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("collects notes from deeply nested elements as the flattened tree has them", () => {
  const document = parseHtml(`${"<div>".repeat(600)}<noscript>a b</noscript><script>c</script>d`);
  expect(toPlainIndex(getElementIndex(document))).toEqual(
    toPlainIndex(buildElementIndex(document)),
  );
  expect(getElementIndex(document).text.scripts).toBe(1);
});
