import { describe, expect, it } from "vitest";
import { deriveInput } from "../../../test/derive-input.ts";
import { markdownOptionsSchema } from "../../contract/page/markdown.ts";
import { countTokens } from "../../ranking/model-tokens.ts";
import { deriveWithTokens } from "../derive.ts";
import { threadCpuMs } from "../../../test/cpu-time.ts";

const convert = async (html: string, options: unknown) => {
  const { document, warnings } = await deriveWithTokens(
    deriveInput(html, { onlyMainContent: false, markdown: markdownOptionsSchema.parse(options) }),
  );
  return { markdown: document.markdown ?? "", chunks: document.chunks ?? [], warnings };
};

const words = (count: number, word = "harbour"): string => Array(count).fill(word).join(" ");
const MANUAL = `<title>Boats</title><meta name="author" content="A. Writer">
  <h1 id="boats">Boats</h1><p>${words(40)}</p>
  <h2 id="sails">Sails</h2><p>${words(40, "canvas")}</p>
  <h3>Ropes</h3><p>${words(30, "hemp")}</p><p>${words(30, "knot")}</p>
  <h2 id="oars">Oars</h2><p>${words(20, "wood")}</p>`;

describe("markdown.chunks", () => {
  it("starts a chunk at each heading, with its path, fragment and position", async () => {
    const { markdown, chunks } = await convert(MANUAL, { chunks: { tokens: 500 } });
    expect(chunks.map(({ path, fragment }) => [path.join(" > "), fragment])).toEqual([
      ["Boats", "boats"],
      ["Boats > Sails", "sails"],
      ["Boats > Sails > Ropes", "sails"],
      ["Boats > Oars", "oars"],
    ]);
    for (const { text, start, end, url, fragment, tokens } of chunks) {
      expect(markdown.slice(start, end)).toBe(text);
      expect(url).toBe(`https://site.example/page#${fragment}`);
      expect(tokens).toBe(countTokens(text));
    }
  });

  it("takes the fragment of a heading from a permalink that is no content", async () => {
    const section = (name: string, id: string): string =>
      `<h2>${name}<span><a class="mark" href="#${id}" id="${id}">#</a></span></h2><p>${words(30)}</p>`;
    const html = `<div id="column1"><div id="apicontent">
      ${section("Files", "files")}${section("Folders", "folders")}</div></div>`;
    const { document } = await deriveWithTokens(
      deriveInput(html, {
        onlyMainContent: true,
        markdown: markdownOptionsSchema.parse({ chunks: {}, headingAnchors: true }),
      }),
    );
    expect(document.chunks?.map(({ fragment }) => fragment)).toEqual(["files", "folders"]);
    expect(document.markdown).toMatch(/^## Files \{#files\}\n[^]*\n## Folders \{#folders\}\n/);
  });

  it("keeps a heading with the text that follows it", async () => {
    const { chunks } = await convert(MANUAL, { chunks: { tokens: 110, byHeading: false } });
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text, tokens } of chunks) {
      expect(text.split("\n").at(-1)).not.toMatch(/^#/);
      expect(tokens).toBeLessThanOrEqual(110);
    }
  });

  it("splits a table between rows and repeats its head", async () => {
    const rows = Array.from({ length: 60 }, (_, row) => `<tr><td>boat ${row}</td><td>${row}</td>`);
    const { chunks } = await convert(`<table><tr><th>Name<th>Number${rows.join("")}</table>`, {
      chunks: { tokens: 120 },
    });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text, tokens } of chunks) {
      expect(text).toMatch(/^\| Name \| Number \|\n\| --- \| --- \|\n\| boat \d+ \|/);
      expect(tokens).toBeLessThanOrEqual(120);
    }
    expect(chunks.flatMap(({ text }) => text.match(/boat \d+/g))).toHaveLength(60);
  });

  it("splits code between lines and closes the fence of each part", async () => {
    const code = Array.from({ length: 80 }, (_, line) => `let boat${line} = ${line};`).join("\n");
    const { chunks } = await convert(`<pre><code class="language-js">${code}</code></pre>`, {
      chunks: { tokens: 100 },
    });
    for (const { text } of chunks) expect(text).toMatch(/^```js\nlet [^`]*\n```$/);
    expect(chunks.flatMap(({ text }) => text.match(/let boat/g))).toHaveLength(80);
  });

  it("repeats the end of a chunk within its size", async () => {
    const sentence = (number: number): string => `Boat ${number} leaves the harbour at noon.`;
    const paragraphs = Array.from({ length: 30 }, (_, at) => `<p>${sentence(at)}</p>`);
    const { chunks } = await convert(paragraphs.join(""), { chunks: { tokens: 100, overlap: 30 } });
    for (const [index, { text, tokens }] of chunks.entries()) {
      expect(tokens).toBeLessThanOrEqual(100);
      const last = chunks[index - 1]?.text.split("\n\n").at(-1);
      if (last !== undefined) expect(text).toContain(last);
    }
  });

  it("splits a line of megabytes in linear time, and long words too", async () => {
    const { chunks } = await convert(`<p>${"x".repeat(300)} ${words(200)}</p>`, {
      chunks: { tokens: 50 },
    });
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(50);
    const time = async (size: number): Promise<number> => {
      const started = threadCpuMs();
      await convert(`<p>${"ab".repeat(size)}</p>`, { chunks: { tokens: 50 } });
      return threadCpuMs() - started;
    };
    await time(20_000);
    expect(await time(200_000)).toBeLessThan(30 * (await time(20_000)) + 500);
  }, 60_000);
});

describe("markdown.maxTokens", () => {
  it("cuts between blocks, never after a heading, and warns with both sizes", async () => {
    const { markdown, warnings } = await convert(MANUAL, { maxTokens: 120 });
    expect(countTokens(markdown)).toBeLessThanOrEqual(120);
    expect(markdown).toMatch(/canvas$/);
    expect(warnings.join(" ")).toMatch(
      /^The Markdown was cut to \d+ of \d+ tokens \(markdown.maxTokens 120\)\.$/,
    );
  });

  it("cuts within a paragraph when more than half of the room would stay empty", async () => {
    const html = `<h1>Boats</h1><p>Short lead.</p><p>${words(400)}</p>`;
    const { markdown } = await convert(html, { maxTokens: 200 });
    expect(countTokens(markdown)).toBeGreaterThan(100);
    expect(countTokens(markdown)).toBeLessThanOrEqual(200);
  });

  it("counts the front matter toward markdown.maxTokens", async () => {
    const { markdown } = await convert(MANUAL, { maxTokens: 60, frontMatter: true });
    expect(markdown).toMatch(
      /^---\nurl: "https:\/\/site.example\/page"\ntitle: "Boats"\nauthor: "A. Writer"\n---\n\n# Boats/,
    );
    expect(countTokens(markdown)).toBeLessThanOrEqual(60);
  });
});

describe("markdownOptionsSchema", () => {
  it("names the field and the limit when options exclude each other", () => {
    const messages = (value: unknown): string[] =>
      markdownOptionsSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
    expect(messages({ chunks: { tokens: 100, overlap: 51 } })).toEqual([
      "markdown.chunks.overlap is 51; the most is half of markdown.chunks.tokens, 50",
    ]);
    expect(messages({ links: "reference", maxTokens: 100 })[0]).toContain("maxTokens");
  });
});
