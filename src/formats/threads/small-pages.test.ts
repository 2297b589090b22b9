import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveInput } from "../../../test/derive-input.ts";
import { Deadline } from "../../deadline.ts";
import type { DeriveInput } from "../derivation.ts";
import { createFormatPool, type FormatPool } from "./pool.ts";
import { SmallPages } from "./small-pages.ts";

const input = (body: string, more: Partial<DeriveInput> = {}): DeriveInput =>
  deriveInput(body, { discover: true, ...more });

const PAGE = `<html lang="en"><title>Not found</title><h1>Not found</h1>
  <p>Nothing is <a href="/b">here</a>. <img src="c.png" alt="none"></p>`;
const TEXT = { contentType: "application/json", mimeType: "application/json" };

let pool: FormatPool;
beforeAll(() => {
  pool = createFormatPool({ threads: 1, memoryMiB: 512 });
});
afterAll(async () => {
  await pool.close();
});

describe("small pages", () => {
  it.each([
    ["a page", input(PAGE)],
    [
      "all plain formats of it",
      input(PAGE, {
        formats: [
          { type: "markdown" },
          { type: "html" },
          { type: "rawHtml" },
          { type: "links" },
          { type: "images" },
        ],
      }),
    ],
    ["JSON", input(`{"ok":true}`, TEXT)],
    ["nothing", input("")],
  ])("converts a small page to the same result as a thread: %s", async (_, page) => {
    const smallPages = new SmallPages();
    await smallPages.load();
    using deadline = Deadline.start(60_000);
    const { steps: _here, startedAt: _now, ...here } = smallPages.convert(page) ?? {};
    const { steps: _there, startedAt: _then, ...there } = await pool.derive(page, deadline);
    expect(there.metadata).toBeDefined();
    expect(here).toStrictEqual(there);
  });

  it("converts in the main thread after enough small pages", async () => {
    const smallPages = new SmallPages();
    expect(smallPages.convert(input(PAGE))).toBeUndefined();
    await expect
      .poll(() => smallPages.convert(input(PAGE))?.document.markdown, { timeout: 30_000 })
      .toContain("Nothing is [here](https://site.example/b)");
  });

  it("loads the code for a small page when asked, and not for others", async () => {
    const smallPages = new SmallPages();
    await smallPages.loadFor(input("x".repeat(2_049)));
    expect(smallPages.convert(input(PAGE))).toBeUndefined();
    await smallPages.loadFor(input(PAGE));
    expect(smallPages.convert(input(PAGE))?.document.markdown).toContain("Nothing is [here]");
  });

  it("accepts only pages of few bytes with cheap formats and options", async () => {
    const smallPages = new SmallPages();
    await smallPages.load();
    expect(smallPages.convert(input("x".repeat(2_048)))).toBeDefined();
    for (const other of [
      input("x".repeat(2_049)),
      input(PAGE, { formats: [{ type: "markdown" }, { type: "summary" }] }),
      input(PAGE, { includeTags: ["p"] }),
      input(PAGE, { excludeTags: ["p"] }),
      input(PAGE, { explain: true }),
      input(PAGE, { linkHeader: `</a>; rel="next"`.padEnd(2_048) }),
      input(PAGE, { url: `http://localhost/${"a".repeat(2_048)}` }),
      input(PAGE, { known: new Int32Array(1_001) }),
      input(PAGE, { reads: true }),
      input(PAGE, { probes: {} }),
      input(PAGE, { file: {} as DeriveInput["file"] }),
    ])
      expect(smallPages.convert(other)).toBeUndefined();
  });
});
