import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../test/cpu-time.ts";
import { buildSource, toPageText } from "./page-text.ts";
import { toVector, type PageText } from "./page-words.ts";
import { loadStem } from "../ranking/stems.ts";

const page = (parts: Partial<PageText>): PageText => ({
  url: new URL("https://docs.example.com/guide/install"),
  title: "",
  description: "",
  headings: [],
  body: "",
  language: "en",
  isPdf: false,
  ...parts,
});

const unchanged = (word: string): string => word;
const entriesOf = (vector: string): Map<string, string> =>
  new Map(
    vector.split(" ").map((entry) => {
      const [, word = "", places = ""] = /^'(.*)':(.*)$/.exec(entry) ?? [];
      return [word, places] as const;
    }),
  );

describe("words of an indexed page", () => {
  it("weights a word by its best position and gives words of the URL a position of their own", async () => {
    const stem = await loadStem("en");
    const entries = entriesOf(
      toVector(page({ title: "Installing", headings: ["Houses"], body: "houses and ships" }), stem),
    );
    expect(entries.get("instal")).toBe("1A,2C");
    expect(entries.get("hous")).toBe("1B,2");
    expect(entries.get("ship")).toBe("1");
    expect(entries.get("guid")).toBe("1C");
    expect(entries.has("and")).toBe(false);
  });

  it("indexes the host, its parent domains and the file type", () => {
    const entries = entriesOf(toVector(page({ isPdf: true }), unchanged));
    expect([...entries.keys()].filter((key) => key.includes(":"))).toEqual([
      "h:docs.example.com",
      "h:example.com",
      "h:com",
      "k:pdf",
    ]);
  });

  it("indexes stop words of titles only", () => {
    const entries = entriesOf(
      toVector(page({ title: "The Who", body: "the band the who" }), unchanged),
    );
    expect(entries.get("the")).toBe("1A");
  });

  it("indexes every word of a long page", () => {
    const filler = Array.from({ length: 9_000 }, (_, index) => `w${index}`).join(" ");
    const entries = entriesOf(toVector(page({ body: `${filler} removeprefix` }), unchanged));
    expect(entries.get("removeprefix")).toBe("1");
  });

  it("indexes identifiers as a whole, in their parts, and without what qualifies them", () => {
    const body = "asyncio.loop.run_in_executor --force-with-lease std::vector a->b note: x";
    const entries = entriesOf(toVector(page({ body }), unchanged));
    const names = [...entries.keys()].filter((key) => /[._-]/.test(key) && !key.includes(":"));
    expect(names.filter((name) => !name.includes("example"))).toEqual([
      "asyncio.loop.run_in_executor",
      "loop.run_in_executor",
      "run_in_executor",
      "force-with-lease",
      "std.vector",
      "a.b",
    ]);
    expect(entries.has("executor")).toBe(true);
  });

  it("bounds the words of a page by number and by bytes", () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(" ");
    const short = entriesOf(toVector(page({ title: "Kept", body: many }), unchanged));
    expect(short.size).toBeLessThanOrEqual(20_000 + 3);
    expect(short.get("kept")).toBe("1A");
    const wide = Array.from({ length: 20_000 }, (_, index) => `${index}`.padStart(40, "ж")).join(
      " ",
    );
    const literal = toVector(page({ title: "Kept", body: wide }), unchanged);
    expect(Buffer.byteLength(literal)).toBeLessThan(1_000_000);
  });

  it("writes no characters that break a tsvector literal", () => {
    const hostile = `' \\ "x':1A' ; drop table -- \u0000 \ud800 ${"'".repeat(10)}`;
    const vector = toVector(page({ title: hostile, body: hostile }), unchanged);
    expect(vector).toMatch(/^(?:'[^'\\\s]+':[\dABC,]+ ?)+$/);
  });
});

describe("searchable text of a page", () => {
  const url = new URL("https://example.com/");
  const textOf = (content: { markdown: string } | { html: string }): PageText =>
    toPageText(buildSource({ ...content, metadata: {} }), url, false);

  it("strips Markdown syntax and link targets", () => {
    const markdown =
      '# One *two*\n\nSee [the **guide**](https://a.b/c(d)e "t") and ![alt](<x y.png>).\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n`code` 3\\. snake\\_case end';
    const text = textOf({ markdown });
    expect(text.body.split("\n").map((line) => line.trim())).toEqual([
      "\u0001One two",
      "See the guide and alt .",
      "a b",
      "1 2",
      "code 3. snake_case end",
    ]);
    expect(text.headings).toEqual(["One two"]);
  });

  it("uses HTML without scripts when there is no Markdown", () => {
    const html =
      "<title>x</title><p>Hello <b>world</b></p><script>var secret</script><style>a{}</style>";
    expect(textOf({ html }).body).toContain("Hello world");
    expect(textOf({ html }).body).not.toContain("secret");
  });

  it("extracts text in linear time", () => {
    const hostile = [
      "](".repeat(20_000),
      "](<".repeat(10_000),
      "](a(".repeat(10_000),
      "|".repeat(40_000),
    ];
    for (const markdown of hostile) {
      const began = threadCpuMs();
      textOf({ markdown });
      expect(threadCpuMs() - began, markdown.slice(0, 6)).toBeLessThan(1_500);
    }
  });
});
