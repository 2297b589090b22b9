import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { countTokens } from "../../ranking/model-tokens.ts";
import { arrangeSite, type SitePage } from "./arrange-site.ts";
import { describePage, writeLlmsFullTxt, writeLlmsTxt } from "./llms-txt.ts";

const BASE = "https://boats.example/docs/";
const page = (path: string, more: Partial<SitePage> = {}): SitePage => ({
  url: `${BASE}${path}`,
  title: `${path} — Boats 1.0`,
  description: "",
  markdown: `# ${path}\n\nThis page says all there is to say about ${path}. It goes on.`,
  links: [],
  ...more,
});
const shape = (pages: readonly SitePage[]) =>
  arrangeSite(BASE, pages).sections.map(({ title, pages: inside }) => [
    title,
    inside.map(({ url }) => url.slice(BASE.length)),
  ]);

describe("arrangeSite", () => {
  it("takes sections from headings and nested lists of the start page, and pages below from links", () => {
    const home = page("", {
      markdown: `# Boats\n\n- [Tutorial](${BASE}tutorial.html)\n  - [Sails](${BASE}sails.html#hoist)\n\n## Reference\n\n| Name |\n| --- |\n| [Ropes](${BASE}ropes.html) |`,
    });
    const pages = [
      page("knots.html"),
      page("ropes.html", { links: [`${BASE}knots.html`, BASE] }),
      page("sails.html"),
      page("tutorial.html"),
      page("stray.html"),
      home,
    ];
    const expected = [
      ["Tutorial", ["tutorial.html", "sails.html"]],
      ["Reference", ["ropes.html", "knots.html"]],
      ["Overview", ["stray.html"]],
    ];
    expect(shape(pages)).toEqual(expected);
    expect(shape(pages.toReversed())).toEqual(expected);
  });

  it("puts a page below the chapter that it links back to, not below one that mentions it", () => {
    const home = page("", {
      markdown: `# Boats\n\n## Preface\n\n- [Bugs](${BASE}bugs.html)\n\n## Guide\n\n- [Server](${BASE}server.html)`,
    });
    const pages = [
      home,
      page("bugs.html", { links: [`${BASE}logs.html`] }),
      page("server.html", { links: [`${BASE}logs.html`] }),
      page("logs.html", { links: [`${BASE}server.html`] }),
    ];
    expect(shape(pages)).toEqual([
      ["Preface", ["bugs.html"]],
      ["Guide", ["server.html", "logs.html"]],
    ]);
  });

  it("lists indexes of the whole site last, as optional", () => {
    const home = page("", {
      markdown: `# Boats\n\n[Index](${BASE}index-a.html) [Terms](${BASE}terms.html)\n\n## Guide\n\n- [Sails](${BASE}sails.html)`,
    });
    const links = Array.from({ length: 40 }, (_, at) => `${BASE}word-${at}.html`);
    const index = links.map((link, at) => `- [word ${at}](${link})`).join("\n");
    const pages = [
      home,
      page("index-a.html", { links, markdown: `# Index\n\n${index}` }),
      page("terms.html"),
      // A chapter may be a list of links, too.
      page("sails.html", { links, markdown: `# Sails\n\n${index}` }),
    ];
    expect(shape(pages)).toEqual([
      ["Overview", ["terms.html"]],
      ["Guide", ["sails.html"]],
      ["Optional", ["index-a.html"]],
    ]);
  });

  it("moves an index of few words with the others, and an index beside the start page from any section", () => {
    const links = Array.from({ length: 60 }, (_, at) => `${BASE}word-${at}.html`);
    const markdown = links.map((link, at) => `- [word ${at}](${link})`).join("\n");
    const letters = ["A", "B", "C"].map((letter) =>
      page(`index-${letter}.html`, { title: `Index – ${letter} — Boats 1.0`, links, markdown }),
    );
    const home = page("", {
      markdown: `# Boats\n\n## Contents\n\n- [Words](${BASE}words.html)\n- [Ropes](${BASE}ropes.html)\n\n## Guide\n\n- [Sails](${BASE}sails.html)`,
    });
    const few = page("index-Y.html", { title: "Index – Y — Boats 1.0" });
    expect(
      shape([
        home,
        ...letters,
        few,
        page("about.html"),
        page("ropes.html"),
        page("sails.html"),
        page("words.html", { links, markdown }),
      ]),
    ).toEqual([
      ["Contents", ["ropes.html"]],
      ["Guide", ["sails.html"]],
      ["Overview", ["about.html"]],
      ["Optional", ["words.html", "index-A.html", "index-B.html", "index-C.html", "index-Y.html"]],
    ]);
  });

  it("titles a folder by its first page where the link's words are part of a sentence", () => {
    const home = page("", {
      markdown: `# Boats\n\nSee [all the news](${BASE}news/index.html).`,
    });
    const news = page("news/index.html", { title: "News — Boats 1.0", links: [`${BASE}news/z`] });
    const pages = [home, page("a"), page("b"), page("news/a"), page("news/z"), news];
    expect(shape(pages)).toEqual([
      ["Overview", ["a", "b"]],
      ["News", ["news/index.html", "news/z", "news/a"]],
    ]);
  });

  it("takes sections from folders when the start page has no outline", () => {
    expect(
      shape([
        page(""),
        page("how-to/b"),
        page("a"),
        page("how-to/a"),
        page("api/"),
        page("index.html"),
      ]),
    ).toEqual([
      ["Overview", ["a"]],
      ["api/", ["api/"]],
      ["How to", ["how-to/a", "how-to/b"]],
    ]);
  });

  it("titles and orders folders as the start page names them when its outline is one long list", () => {
    const names = ["library/index.html", "tutorial/index.html", "api/index.html"];
    const home = page("", {
      markdown: `# Boats\n\n**Parts:**\n\n[Library Reference](${BASE}library/index.html) all of it\n\n[Tutorial](${BASE}tutorial/index.html)\n\n**More:**\n\n[About](${BASE}about.html)`,
    });
    const pages = [
      home,
      page("about.html"),
      page("api/index.html", { title: "Boats API — Boats 1.0" }),
      page("library/index.html", {
        links: [`${BASE}library/zebra.html`, `${BASE}library/ape.html`],
      }),
      page("library/zebra.html"),
      page("library/ape.html"),
      page("tutorial/index.html", {
        links: [...names.map((name) => `${BASE}${name}`), `${BASE}library/ape.html`],
      }),
    ];
    expect(shape(pages)).toEqual([
      ["Overview", ["about.html"]],
      ["Library Reference", ["library/index.html", "library/zebra.html", "library/ape.html"]],
      ["Tutorial", ["tutorial/index.html"]],
      ["Boats API", ["api/index.html"]],
    ]);
  });

  it("leaves pages that an index of the whole site links to in the section of their chapter", () => {
    const chapters = ["hulls", "sails"];
    const below = chapters.flatMap((name) =>
      Array.from({ length: 40 }, (_, at) => `${name}-${at}.html`),
    );
    const home = page("", {
      markdown: `# Boats\n\n**Contents**\n\n- [Index](${BASE}all.html)\n- [Hulls](${BASE}hulls.html)\n  - [Wood](${BASE}hulls-0.html)\n- [Sails](${BASE}sails.html)\n  - [Cloth](${BASE}sails-0.html)`,
    });
    const pages = [
      home,
      page("all.html", { links: below.map((path) => BASE + path) }),
      ...chapters.map((name) =>
        page(`${name}.html`, {
          links: below.filter((path) => path.startsWith(name)).map((path) => BASE + path),
        }),
      ),
      ...below.map((path) => page(path)),
    ];
    const sections = new Map(shape(pages) as [string, string[]][]);
    expect([...sections.keys()]).toEqual(["Contents", "Hulls", "Sails"]);
    expect(sections.get("Contents")).toEqual(["all.html"]);
    expect(sections.get("Sails")?.every((path) => path.startsWith("sails"))).toBe(true);
    expect(sections.get("Sails")).toHaveLength(41);
  });
});

describe("describePage", () => {
  it("takes the stated description, or the first sentence of prose, never a line of links", () => {
    const no = (): boolean => false;
    expect(describePage(page("a", { description: "  All   about a. " }), no)).toBe("All about a.");
    expect(describePage(page("a", { description: "Site" }), () => true)).toBe(
      "This page says all there is to say about a.",
    );
    const links = `[The page before](x) | [The page after this one](y) | [The index](z)`;
    const text = "A *long* enough sentence with a [link](x) in it, about boats. More.";
    expect(describePage(page("a", { markdown: `${links}\n\nshort\n\n${text}` }), no)).toBe(
      "A long enough sentence with a link in it, about boats.",
    );
  });
});

describe("writeLlmsTxt", () => {
  const many = Array.from({ length: 300 }, (_, at) =>
    page(`part-${at % 3}/page-${String(at).padStart(3, "0")}`),
  );
  const home = page("", { title: "Boats 1.0", description: "Everything that floats." });

  it("lists each page once, with a description and without the name of the site", async () => {
    const { text, listed, total } = await writeLlmsTxt(BASE, [home, ...many], 100_000);
    expect([listed, total]).toEqual([300, 300]);
    expect(text).toMatch(
      /^# Boats 1\.0\n\n> Everything that floats\.\n\n## Part 0\n\n- \[part-0\/page-000\]\(https:\/\/boats\.example\/docs\/part-0\/page-000\): This page says all/,
    );
    expect(text.match(/^- /gm)).toHaveLength(300);
  });

  it("keeps llms.txt within its token limit: shorter lines first, then fewer pages of each section", async () => {
    const pages = [home, ...many];
    const bare = await writeLlmsTxt(BASE, pages, 9_500);
    expect(bare.listed).toBe(300);
    expect(countTokens(bare.text)).toBeLessThanOrEqual(9_500);
    // The first pages of each section keep their descriptions.
    const described = bare.text.match(/^- .*\): This page/gm)?.length ?? 0;
    expect(described).toBeGreaterThan(0);
    expect(described).toBeLessThan(300);
    expect(described % 3).toBe(0);
    const few = await writeLlmsTxt(BASE, pages, 2_000);
    expect(countTokens(few.text)).toBeLessThanOrEqual(2_000);
    expect(few.listed).toBeGreaterThan(30);
    expect(few.text).toContain(`${300 - few.listed} more pages of the site are not listed.`);
    expect(few.text.match(/^## Part/gm)).toHaveLength(3);
  });

  it.each(["[", "- [a](b)\n", "# a\n", "* ", "`", "<a>", "> "])(
    "takes linear time for a start page of %j",
    (piece) => {
      expectNoSquare(
        (size) => void arrangeSite(BASE, [page("", { markdown: piece.repeat(size) })]),
      );
    },
    60_000,
  );

  it("names a page without a title by its file", async () => {
    const file = page("files/zone%20one.py", { title: "", markdown: "import zone" });
    const { text } = await writeLlmsTxt(BASE, [page(""), file], 2_000);
    expect(text).toContain(`- [zone one.py](${BASE}files/zone%20one.py)`);
  });

  it("names pages by their first heading when several share the title of the site", async () => {
    const pages = ["a.html", "b.html", "c.html"].map((path) =>
      page(path, { title: "Boats 1.0", markdown: `# About ${path}\n\nSome text.` }),
    );
    const { text } = await writeLlmsTxt(BASE, [page(""), ...pages], 5_000);
    expect(text).toContain(`- [About b.html](${BASE}b.html)`);
    expect(text).not.toContain("[Boats 1.0]");
  });
});

describe("writeLlmsFullTxt", () => {
  const long = page("b", { markdown: "x".repeat(5_000) });
  const pages = [page("c"), long, page("a"), page("")];
  const listSources = (text: string): string[] => text.match(/^Source: <.*>$/gm) ?? [];

  it("writes whole pages in the order of llms.txt and lists those that are left out", () => {
    const { text, total, omitted } = writeLlmsFullTxt(BASE, pages, 2_000);
    expect([total, omitted]).toEqual([4, [`${BASE}b`]]);
    expect(listSources(text)).toEqual(["", "a", "c"].map((path) => `Source: <${BASE}${path}>`));
    expect(text).toContain(
      `\n1 of 4 pages are left out, because the file would be longer than 2000 characters:\n\n- <${BASE}b>\n`,
    );
    expect(writeLlmsFullTxt(BASE, pages, 10_000)).toMatchObject({ total: 4, omitted: [] });
  });

  it("never writes more than the limit, with the list of what is left out", () => {
    const whole = writeLlmsFullTxt(BASE, pages, 100_000);
    expect(writeLlmsFullTxt(BASE, pages, whole.text.length)).toEqual(whole);
    const many = Array.from({ length: 300 }, (_, at) => page(`p${at}`));
    const all = writeLlmsFullTxt(BASE, many, 1_000_000).text.length;
    for (const limit of [all - 1, Math.floor(all * 0.9), Math.floor(all * 0.7)]) {
      const { text, omitted } = writeLlmsFullTxt(BASE, many, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(listSources(text).length + omitted.length).toBe(300);
      for (const url of omitted) expect(text).toContain(`- <${url}>`);
    }
  });

  it("leaves out a page of which only the beginning was kept", () => {
    const cut = page("a", { isCut: true });
    const { text, omitted } = writeLlmsFullTxt(BASE, [page(""), cut], 10_000);
    expect(omitted).toEqual([`${BASE}a`]);
    expect(listSources(text)).toEqual([`Source: <${BASE}>`]);
  });
});
