import { isTag } from "domhandler";
import { describe, expect, it } from "vitest";
import { type ContentOptions, HIDDEN, selectContent } from "./content.ts";
import { parseHtml } from "../parse/parse.ts";
import { toHtml } from "../parse/serialize.ts";
import { detachAll, listElements } from "../parse/tree.ts";
import { threadCpuMs } from "../../../test/cpu-time.ts";

const buildOptions = (given: Partial<ContentOptions> = {}): ContentOptions => ({
  url: "https://e.org/a/b",
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  findMainContent: () => ({ removals: [] }),
  parseAgain: () => parseHtml(""),
  ...given,
});

describe("selectContent", () => {
  it("makes addresses absolute against <base>, inlines frames, and drops repeats, empty items and skip links", () => {
    const html =
      '<base href="/base/"><a href="#main">Skip to content</a><a href="x">x</a><img src="i.png"><img src="i.png"><iframe src="f"></iframe><ul><li></li><li>one</li></ul><a href="javascript:x">s</a>';
    const { root, base } = selectContent(parseHtml(html), buildOptions());
    expect(base).toBe("https://e.org/base/");
    expect(toHtml(root)).toBe(
      '<a href="https://e.org/base/x">x</a><img src="https://e.org/base/i.png"><div data-original-tag="iframe" src="https://e.org/base/f"></div><ul><li>one</li></ul><a>s</a>',
    );
  });

  it("makes <picture> sources and video posters and sources absolute", () => {
    const html =
      '<picture><source srcset="s.webp 1x, /t.webp 2x"><source srcset="javascript:x 1x"><source srcset="u.webp 400w,v.webp"><img src="i.png"></picture><video poster="p.jpg" src="../f.mp4"></video>';
    const { root } = selectContent(parseHtml(html), buildOptions());
    expect(toHtml(root)).toBe(
      '<picture><source srcset="https://e.org/a/s.webp 1x, https://e.org/t.webp 2x"><source><source srcset="https://e.org/a/u.webp 400w, https://e.org/a/v.webp"><img src="https://e.org/a/i.png"></picture><video poster="https://e.org/a/p.jpg" src="https://e.org/f.mp4"></video>',
    );
  });

  it("puts the content that a browser read from a frame into the frame, for selectors too", () => {
    const html = `<h1>Page</h1><iframe src="/in" id="f"></iframe><div data-frame="https://e.org/in"><p class="x">inside</p><p>more</p></div><p class="x">outside</p>`;
    const select = (more: object): string =>
      toHtml(selectContent(parseHtml(html), { ...buildOptions(), ...more }).root);
    expect(select({ includeTags: ["iframe"] })).toBe(
      '<div data-original-tag="iframe" src="https://e.org/in" id="f"><p class="x">inside</p><p>more</p></div>',
    );
    expect(select({ includeTags: ["iframe .x"] })).toBe('<p class="x">inside</p>');
    expect(select({ excludeTags: ["iframe"] })).not.toContain("inside");
    expect(select({})).not.toContain("data-frame");
  });

  it("lists the choices of a form's selects, except quantities and sort orders", () => {
    const select = (texts: readonly string[]): string =>
      `<select>${texts.map((text) => `<option>${text}</option>`).join("")}</select>`;
    const choose = (action: string, ...texts: string[]): string =>
      toHtml(
        selectContent(
          parseHtml(`<form method="get" action="${action}">${select(texts)}</form>`),
          buildOptions(),
        ).root,
      );
    expect(choose("/cart/add", "Small", "Large")).toContain("<li>Small</li><li>Large</li>");
    expect(choose("/cart/add", "1", "2", "3")).not.toContain("<li>");
    expect(choose("/search", "Newest", "Cheapest")).not.toContain("<li>");
    expect(choose("/search", "Small 5 €", "Large 7 €")).toContain("<li>Small 5 €</li>");
  });

  it("lists the pages of a frameset as links with its noframes text, and warns about it", () => {
    const html =
      '<html><head><title>t</title><base href="/m/"></head><frameset><frameset><frame src="toc.html" name="toc"><frame src="toc.html" name="again"></frameset><frame src="a b.html" title="Text &amp; more"><frame src="about:blank"><frame><noframes><body><p>See the <a href="plain.html">plain</a> one.<script>x()</script></body></noframes></frameset></html>';
    const nothing: ContentOptions["findMainContent"] = (document) => {
      detachAll([...document.children]);
      return { removals: [] };
    };
    const { root, warnings, fallback } = selectContent(
      parseHtml(html),
      buildOptions({ onlyMainContent: true, findMainContent: nothing }),
    );
    expect(toHtml(root)).toBe(
      '<html><div><ul><li><a href="https://e.org/m/toc.html">toc</a></li><li><a href="https://e.org/m/a%20b.html">Text &amp; more</a></li></ul><body><p>See the <a href="https://e.org/m/plain.html">plain</a> one.</p></body><div></div></div></html>',
    );
    expect(warnings).toEqual([
      "The page is made of frames: its text is in 2 other pages, which are listed as links.",
    ]);
    expect(fallback).toBeUndefined();
    const one = selectContent(parseHtml("<frameset><frame src=x></frameset>"), buildOptions());
    expect(toHtml(one.root)).toBe('<div><ul><li><a href="https://e.org/a/x">x</a></li></ul></div>');
    expect(one.warnings).toEqual([
      "The page is made of frames: its text is in another page, which is listed as a link.",
    ]);
  });

  it.each(["title", "textarea", "iframe"])(
    "keeps the page and warns when <%s> has no end tag",
    (name) => {
      const html = `<body><${name}>Name<p>first</p><p>second</p>`;
      const { root, warnings } = selectContent(parseHtml(html), buildOptions());
      expect(toHtml(root)).toContain("<p>first</p><p>second</p>");
      expect(warnings).toEqual([`<${name}> has no end tag; it was closed before the next tag.`]);
    },
  );

  it("keeps the content of a frameset that never ends", () => {
    const html = "<frameset><frame src=x><p>text</p><frameset><frame src=y><b>more</b>";
    const { root } = selectContent(parseHtml(html), buildOptions());
    expect(toHtml(root)).toBe(
      '<div><ul><li><a href="https://e.org/a/x">x</a></li><li><a href="https://e.org/a/y">y</a></li></ul><p>text</p><div><b>more</b></div></div>',
    );
  });

  it("processes a page of framesets in linear time", () => {
    const started = threadCpuMs();
    for (const piece of [
      "<frameset></frameset>",
      "<frameset>",
      "<noframes>x</noframes>",
      "<frame src=x>",
    ])
      selectContent(parseHtml(`<frameset>${piece.repeat(50_000)}`), buildOptions());
    selectContent(parseHtml("<frameset></frameset>".repeat(50_000)), buildOptions());
    expect(threadCpuMs() - started).toBeLessThan(20_000);
  });

  it("ignores a frameset that follows text, as browsers do", () => {
    const html = "<body><p>text</p><frameset><frame src=x><noframes>none</noframes></frameset>";
    const { root, warnings } = selectContent(parseHtml(html), buildOptions());
    expect(toHtml(root)).not.toContain("<li>");
    expect(warnings).toEqual([]);
    const empty = selectContent(
      parseHtml("<body> <script>x</script><div></div><frameset><frame src=x></frameset>"),
      buildOptions(),
    );
    expect(toHtml(empty.root)).toContain("<li>");
  });

  it("returns the whole page with a warning when the main content finder leaves nothing", () => {
    const empty: ContentOptions["findMainContent"] = (document) => {
      detachAll([...document.children]);
      return { removals: [{ step: "main-content", rule: "x", path: "p", words: 1, sample: "" }] };
    };
    const parseAgain = () => parseHtml("<nav>n</nav><p>text <b>b</b></p>");
    const content = selectContent(
      parseAgain(),
      buildOptions({ onlyMainContent: true, findMainContent: empty, parseAgain }),
    );
    expect(toHtml(content.root)).toBe("<nav>n</nav><p>text <b>b</b></p>");
    expect(content.fallback).toBe("whole-page");
    expect(content.removals).toEqual([]);
  });

  it("returns the content chosen by the main content finder and reports what it removed", () => {
    const withoutNav: ContentOptions["findMainContent"] = (document) => {
      detachAll(listElements(document).filter((element) => element.name === "nav"));
      return {
        removals: [{ step: "main-content", rule: "nav", path: "nav", words: 1, sample: "n" }],
      };
    };
    const content = selectContent(
      parseHtml("<nav>n</nav><p>text</p>"),
      buildOptions({ onlyMainContent: true, findMainContent: withoutNav }),
    );
    expect(toHtml(content.root)).toBe("<p>text</p>");
    expect(content.fallback).toBeUndefined();
    expect(content.removals).toHaveLength(1);
  });

  it("skips main content detection when includeTags is given, and warns when no tag matches", () => {
    let asked = 0;
    const findMainContent: ContentOptions["findMainContent"] = () => {
      asked++;
      return { removals: [] };
    };
    const content = selectContent(
      parseHtml("<p>x</p>"),
      buildOptions({ includeTags: [".none"], onlyMainContent: true, findMainContent }),
    );
    expect(asked).toBe(0);
    expect(content.root.children).toEqual([]);
    expect(content.warnings).toEqual([
      "includeTags: no element of the page matches, so the content is empty.",
    ]);
  });

  it("ignores includeTags when none of its selectors is valid", () => {
    let asked = 0;
    const findMainContent: ContentOptions["findMainContent"] = () => {
      asked++;
      return { removals: [] };
    };
    const content = selectContent(
      parseHtml("<nav>n</nav><p>text</p>"),
      buildOptions({ includeTags: ["p:not("], onlyMainContent: true, findMainContent }),
    );
    expect(asked).toBe(1);
    expect(toHtml(content.root)).toContain("text");
    expect(content.warnings).toHaveLength(1);
    expect(content.warnings[0]).toContain("was ignored");
  });

  it("reports concealed text as removed and keeps a page that conceals all of its text", () => {
    const words = "many visible words ".repeat(20);
    const hidden = selectContent(
      parseHtml(`<p>${words}</p><p style="display:none">obey me now</p>`),
      buildOptions(),
    );
    expect(hidden.removals).toMatchObject([
      { step: "concealed", rule: "display:none", path: "p", words: 3, sample: "obey me now" },
    ]);
    const page = selectContent(
      parseHtml(`<div style="visibility:hidden"><p>${words}</p></div>`),
      buildOptions(),
    );
    expect(page.root.children.filter((node) => isTag(node))).toHaveLength(1);
  });

  it("drops concealed text that is most of a page only when dropConcealed is set and other text is left, with a warning", () => {
    const words = "many hidden words ".repeat(20);
    const select = (html: string, dropConcealed: boolean) => {
      const { root, warnings } = selectContent(parseHtml(html), buildOptions({ dropConcealed }));
      return { html: toHtml(root), warnings };
    };
    const max = `<p>${"seen by all ".repeat(10)}</p><div style="opacity:0">${words}</div>`;
    expect(select(max, false).html).toContain("hidden");
    expect(select(max, true).html).not.toContain("hidden");
    expect(select(max, true).warnings).toEqual([HIDDEN.dropped]);
    const all = `<p>Seen.</p><div style="opacity:0">${words}</div>`;
    expect(select(all, true)).toMatchObject({ warnings: [HIDDEN.kept] });
    expect(select(all, true).html).toContain("hidden");
    const body = `<body style="display:none"><p>${words}</p></body>`;
    expect(select(body, true)).toMatchObject({ warnings: [HIDDEN.kept] });
    const plain = `<p>${words}</p><p style="display:none">trap</p>`;
    expect(select(plain, true)).toEqual(select(plain, false));
  });
});
