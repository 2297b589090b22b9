import { describe, expect, it } from "vitest";
import { countTokens } from "../../ranking/model-tokens.ts";
import { asText, fitFound, type Found } from "./fit-found.ts";

const asJson = (found: Found): string => JSON.stringify({ success: true, data: found });

const LONG_URL = `?${"long-word-".repeat(80)}`;
const LONG_TITLE = "Ferry times of the northern harbour ".repeat(40);
const TEXT = `# Ferry\n\n${"The ferry leaves at nine from the pier. ".repeat(200)}`;

const listPages = (page: { url?: string; title?: string; markdown?: string }) => ({
  web: Array.from({ length: 5 }, (_, at) => ({
    url: `https://a.test/${at}${page.url ?? ""}`,
    title: page.title ?? "Ferry times",
    markdown: page.markdown ?? TEXT,
  })),
});

async function writeFound(
  request: Parameters<typeof fitFound>[0],
  write: (found: Found) => string,
): Promise<Found & { readonly text: string }> {
  const found = await fitFound(request, write);
  return { ...found, text: write(found) };
}

describe("writeFound", () => {
  it("keeps the budget with long URLs and titles, and leaves out pages without room", async () => {
    const data = listPages({ url: LONG_URL, title: LONG_TITLE });
    for (const budget of [700, 2_000, 8_000]) {
      const { text, results } = await writeFound({ data, words: "ferry", budget }, asText);
      expect(countTokens(text)).toBeLessThanOrEqual(budget);
      expect(results[0]?.content).toContain("The ferry leaves");
    }
    const count = async (budget: number) =>
      (await writeFound({ data, words: "ferry", budget }, asText)).results.length;
    expect(await count(700)).toBeLessThan(4);
    expect(await count(8_000)).toBe(5);
  });

  it.each([
    ["short fields", {}],
    ["a long title", { title: LONG_TITLE }],
    ["a long title of other scripts", { title: "北の港のフェリーの時刻表 ".repeat(30) }],
    ["a long URL", { url: "/ferries/of/the/northern/harbour/in/summer" }],
    ["text without spaces", { markdown: "ferry".repeat(2_000) }],
    ["quotes and line breaks", { title: `"'`.repeat(300), markdown: `"ferry"\n\n`.repeat(400) }],
  ])("keeps budgets of 50 and 200 tokens for %s, as text and as JSON", async (_name, page) => {
    for (const [write, budgets] of [
      [asText, [50, 51, 55, 60, 80, 120, 200]],
      [asJson, [60, 80, 120, 200]],
    ] as const)
      for (const budget of budgets) {
        const found = await writeFound({ data: listPages(page), words: "ferry", budget }, write);
        expect(countTokens(found.text)).toBeLessThanOrEqual(budget);
        expect(found.results[0]?.content).toMatch(/ferry/i);
        expect(found.results[0]?.url).toMatch(/^https:\/\/a\.test\/0/);
      }
  });

  it("shortens a title before the content, and keeps a short one whole", async () => {
    const read = async (title: string) =>
      (await writeFound({ data: listPages({ title }), words: "ferry", budget: 200 }, asText))
        .results[0];
    const long = await read(LONG_TITLE);
    expect(long?.title).toMatch(/^Ferry times of the northern harbour .*…$/);
    expect(countTokens(long?.content ?? "")).toBeGreaterThan(2 * countTokens(long?.title ?? ""));
    expect((await read("Ferry times"))?.title).toBe("Ferry times");
  });

  it("names the option and the tokens that are needed when the URL alone does not fit", async () => {
    const data = listPages({ url: LONG_URL });
    const ask = async (budget: number, write = asText) =>
      await writeFound({ data, words: "ferry", budget }, write);
    for (const write of [asText, asJson]) {
      const error = await ask(50, write).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ code: "BAD_REQUEST" });
      const needed = /^x-max-tokens: 50 .* at least (\d+)\.$/.exec((error as Error).message)?.[1];
      const { text, results } = await ask(Number(needed), write);
      expect(countTokens(text)).toBeLessThanOrEqual(Number(needed));
      expect(results).toHaveLength(1);
    }
  });

  it("leaves out a page whose URL does not fit, and shows the next ones", async () => {
    const [first, ...others] = listPages({}).web;
    const web = [{ ...first, url: `https://a.test/${LONG_URL}` }, ...others];
    const { results } = await writeFound(
      { data: { web }, words: "ferry", budget: 200 } as never,
      asText,
    );
    expect(results.map(({ url }) => url)).toEqual(["https://a.test/1"]);
  });

  it("neither shows nor counts pages without content", async () => {
    const empty = { url: "https://a.test/empty", title: "Empty", markdown: " \n" };
    const [page] = listPages({}).web;
    const web = [empty, { ...empty, description: "" }, page];
    const alone = await writeFound({ data: { web: [page] }, words: "ferry", budget: 200 }, asText);
    const found = await writeFound({ data: { web }, words: "ferry", budget: 200 }, asText);
    expect(found).toEqual(alone);
    expect(
      (await writeFound({ data: { web: [empty] }, words: "x", budget: 50 }, asText)).text,
    ).toBe("Nothing was found.\n");
  });

  it("shows a description where a page has no Markdown", async () => {
    const web = [{ url: "https://a.test/", description: "Ferries leave at nine.", markdown: "" }];
    const { results } = await writeFound({ data: { web }, words: "ferry", budget: 200 }, asText);
    expect(results).toMatchObject([{ content: "Ferries leave at nine." }]);
  });

  it("counts a warning, and shortens a long one", async () => {
    for (const warning of ["One page is missing.", "Some pages are missing. ".repeat(40)])
      for (const write of [asText, asJson])
        for (const budget of [50, 200]) {
          const data = listPages({});
          const found = await writeFound({ data, words: "ferry", budget, warning }, write);
          expect(countTokens(found.text)).toBeLessThanOrEqual(budget);
          if (budget === 200) expect(found.text).toContain(warning.slice(0, 15));
          expect(found.results).toHaveLength(1);
        }
  });

  it("keeps a warning whole where there are no pages", async () => {
    const warning = "None of the 20 pages that this server has scraped matches. Search the web.";
    const found = await writeFound({ data: { web: [] }, words: "x", budget: 50, warning }, asText);
    expect(found.text).toBe(`(${warning})\n\nNothing was found.\n`);
  });
});
