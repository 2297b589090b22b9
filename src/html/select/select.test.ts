import { isTag } from "domhandler";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { excludeElements, includeElements, removeNonContent } from "./select.ts";
import { selectElements, SelectorError } from "./selector.ts";
import { toHtml } from "../parse/serialize.ts";

const createPage = () =>
  parseHtml(
    '<head><title>t</title></head><body><div class="Hero banner" id="top"><p>a</p><p class="lead">b</p></div><iframe></iframe><footer><p>c</p></footer></body>',
  );

describe("selectElements", () => {
  it.each([
    ["p", 3],
    [".lead", 1],
    ["#top > p:nth-child(2)", 1],
    ["div p, footer p", 3],
    ["*hero*", 1],
    ["*foot*", 1],
    ["p:not(.lead)", 2],
    ["div:has(.lead)", 1],
    [":contains(c)", 3],
  ])("matches with %s %i elements", (selector, count) => {
    expect(selectElements(createPage(), selector)).toHaveLength(count);
  });

  it.each(["p:not(", "p::before", "div[", "", ">", "p:unknown-thing"])(
    "throws SelectorError for the invalid selector %j",
    (selector) => {
      expect(() => selectElements(createPage(), selector)).toThrow(SelectorError);
    },
  );

  it("throws when a selector is too expensive for a wide page", () => {
    const wide = parseHtml(`<ul>${"<li>x".repeat(60_000)}</ul>`);
    expect(() => selectElements(wide, "li:nth-last-child(2n+1) ~ li:nth-child(3n)")).toThrow(
      /too expensive/,
    );
  });

  it("matches descendant selectors on deep pages", () => {
    const deep = parseHtml(`${"<div class=a>".repeat(50_000)}<p>x`);
    expect(selectElements(deep, "div .a p")).toHaveLength(1);
    const nested = parseHtml(`${"<div>".repeat(2_000)}<p>x`);
    expect(selectElements(nested, "div:has(p)").length).toBeGreaterThan(500);
  });
});

describe("includeElements", () => {
  it("collects matches selector by selector from the original page and warns about invalid CSS", () => {
    const { root, warnings } = includeElements(createPage(), ["footer", "p:not(", ".lead", "#top"]);
    expect(root.children.map((node) => (isTag(node) ? node.name : ""))).toEqual([
      "footer",
      "p",
      "div",
    ]);
    expect(warnings).toEqual([
      'includeTags: Selector "p:not(" is not a valid CSS selector and was ignored.',
    ]);
  });

  it("does not repeat elements inside an outer match", () => {
    const { root } = includeElements(createPage(), ["div", "p"]);
    expect(toHtml(root).match(/<p/g)).toHaveLength(3);
  });
});

describe("excludeElements", () => {
  it("removes matches and reports step, rule, path and words", () => {
    const document = createPage();
    const { removals } = excludeElements(document, ["#top", "*lea*"]);
    expect(toHtml(document)).not.toContain("<p>a</p>");
    expect(removals).toMatchObject([
      { step: "exclude-tags", rule: "#top", path: "body > div#top", words: 1, sample: "ab" },
    ]);
  });
});

describe("removeNonContent", () => {
  it("removes head, scripts, styles, comments and templates", () => {
    const document = parseHtml(
      "<!doctype html><head><title>t</title></head><!--c--><p>x<script>s</script><style>s</style><noscript>n</noscript><template>t</template></p>",
    );
    removeNonContent(document);
    expect(toHtml(document)).toBe("<p>x</p>");
  });
});
