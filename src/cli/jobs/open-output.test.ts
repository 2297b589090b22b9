import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Document } from "../../contract/page/document.ts";
import { checkOutputTarget, openOutput } from "./open-output.ts";
import type { OutputJob } from "./output.ts";

const ID = "0199f0c0-0000-7000-8000-000000000001";
const OTHER = "0199f0c0-0000-7000-8000-000000000002";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-output-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const buildPage = (sourceURL: string, fields: Partial<Document> = {}): Document => ({
  markdown: `Text of ${sourceURL}`,
  metadata: {
    sourceURL,
    url: sourceURL,
    title: `A "title"\nof two lines`,
    statusCode: 200,
    scrapeId: sourceURL,
  },
  ...fields,
});
const jobOf = (documents: readonly Document[], id = ID): OutputJob => ({
  id,
  first: async () => documents[0],
});

/** Writes the documents like a run of the command: skips existing ones. */
async function writeAll(
  target: string,
  documents: readonly Document[],
  until = documents.length,
  id = ID,
): Promise<number> {
  const output = await openOutput(target, jobOf(documents, id));
  if (output === undefined) throw new Error("no output");
  await output.add(documents.slice(output.written, until));
  await output.close();
  return output.written;
}

const pages = ["http://a.test/", "http://a.test/x/one.html", "http://a.test/x/two?q=1"].map((url) =>
  buildPage(url),
);
const lines = async (file: string): Promise<unknown[]> =>
  (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

describe("output folder", () => {
  const target = (): string => path.join(folder, "out/docs");

  it("writes one Markdown file per page with front matter, and an index", async () => {
    await writeAll(target(), pages);
    const files = (await readdir(target(), { recursive: true })).toSorted();
    expect(files).toEqual([
      "a.test",
      "a.test/index.md",
      "a.test/x",
      "a.test/x/one.md",
      "a.test/x/two_q=1.md",
      "index.ndjson",
    ]);
    expect(await readFile(path.join(target(), "a.test/x/one.md"), "utf8")).toBe(
      '---\nurl: "http://a.test/x/one.html"\ntitle: "A \\"title\\"\\nof two lines"\nstatus: 200\n---\n\nText of http://a.test/x/one.html\n',
    );
    expect(await lines(path.join(target(), "index.ndjson"))).toMatchObject([
      { job: ID, url: "http://a.test/", file: "a.test/index.md", status: 200 },
      { file: "a.test/x/one.md" },
      { file: "a.test/x/two_q=1.md" },
    ]);
  });

  it("resumes an output folder without rewriting files, also after a torn index line", async () => {
    await writeAll(target(), pages, 2);
    await appendFile(path.join(target(), "index.ndjson"), '{"job":"0199f0c0-');
    await writeFile(path.join(target(), "a.test/index.md"), "edited");
    expect(await writeAll(target(), pages)).toBe(2);
    expect(await readFile(path.join(target(), "a.test/index.md"), "utf8")).toBe("edited");
    expect(await lines(path.join(target(), "index.ndjson"))).toHaveLength(3);
    expect(await writeAll(target(), pages)).toBe(3);
  });

  it("rewrites a removed file in its place and lists it once", async () => {
    const all = [...pages, buildPage("http://a.test/p", { html: "<p>p" })];
    await writeAll(target(), all);
    const list = await readFile(path.join(target(), "index.ndjson"), "utf8");
    await rm(path.join(target(), "a.test/x"), { recursive: true });
    await rm(path.join(target(), "a.test/p.html"));
    await writeFile(path.join(target(), "a.test/p.md"), "edited");
    const output = await openOutput(target(), jobOf(all));
    expect(output).toMatchObject({ written: 4, gone: [1, 2, 3] });
    for (const place of output?.gone ?? [])
      await output?.restore(place, all[place] ?? buildPage("http://a.test/none"));
    await output?.close();
    const text = (file: string): Promise<string> => readFile(path.join(target(), file), "utf8");
    expect(await text("a.test/x/one.md")).toContain("Text of http://a.test/x/one.html");
    expect(await text("a.test/x/two_q=1.md")).toContain("Text of http://a.test/x/two?q=1");
    expect(await text("a.test/p.html")).toContain("<p>p");
    expect(await text("a.test/p.md")).toBe("edited");
    expect(await text("index.ndjson")).toBe(list);
    const whole = await openOutput(target(), jobOf(all));
    expect(whole).toMatchObject({ written: 4, gone: [] });
    await whole?.close();
  });

  it("does not write another page in place of a removed one", async () => {
    await writeAll(target(), pages);
    await rm(path.join(target(), "a.test/index.md"));
    const output = await openOutput(target(), jobOf(pages));
    expect(await output?.restore(0, buildPage("http://a.test/other"))).toBeUndefined();
    await output?.close();
    expect(await readdir(path.join(target(), "a.test"))).toEqual(["x"]);
  });

  it.each(["../out.md", "a/../../out.md", "/tmp/out.md"])(
    "rejects an index that names %s outside the folder",
    async (file) => {
      await mkdir(target(), { recursive: true });
      const line = JSON.stringify({ job: ID, url: "http://a.test/", file });
      await writeFile(path.join(target(), "index.ndjson"), `${line}\n`);
      await expect(writeAll(target(), pages)).rejects.toThrow("is not an index written by quarry");
    },
  );

  it("writes no second file for a page written just before the end of a run", async () => {
    await writeAll(target(), pages);
    await rm(path.join(target(), "index.ndjson"));
    await writeAll(target(), pages);
    expect(
      (await readdir(target(), { recursive: true })).filter((name) => name.includes("~")),
    ).toEqual([]);
  });

  it("replaces the files when another crawl of the same site is written", async () => {
    await writeAll(target(), pages);
    const renewed = pages.map((page) => ({ ...page, markdown: "new" }));
    expect(await writeAll(target(), renewed, 3, OTHER)).toBe(0);
    expect(await readFile(path.join(target(), "a.test/index.md"), "utf8")).toContain("new");
    expect(await lines(path.join(target(), "index.ndjson"))).toHaveLength(6);
  });

  it("gives every page a file when names collide by case, extension, scheme or punctuation", async () => {
    const colliding = [
      "http://a.test/Guide",
      "http://a.test/guide",
      "http://a.test/guide.html",
      "https://a.test/guide",
      "http://a.test/a*b",
      "http://a.test/a%3Fb",
      "http://a.test/guide.md/x",
      "http://a.test/guide.md_/x",
    ].map((url) => buildPage(url));
    await writeAll(target(), colliding);
    const entries = (await lines(path.join(target(), "index.ndjson"))) as { file: string }[];
    expect(new Set(entries.map(({ file }) => file.toLowerCase())).size).toBe(colliding.length);
    const check = async ({ file }: { file: string }, index: number): Promise<void> => {
      const text = await readFile(path.join(target(), file), "utf8");
      expect(text).toContain(colliding[index]?.markdown);
    };
    await Promise.all(entries.map(check));
  });

  it("keeps files that it did not write", async () => {
    await mkdir(path.join(target(), "a.test"), { recursive: true });
    await writeFile(path.join(target(), "a.test/index.md"), "mine");
    await writeAll(target(), pages);
    expect(await readFile(path.join(target(), "a.test/index.md"), "utf8")).toBe("mine");
    const [first] = (await lines(path.join(target(), "index.ndjson"))) as { file: string }[];
    expect(first?.file).toMatch(/^a\.test\/index~[0-9a-f]{12}\.md$/);
  });

  it("keeps a foreign index and reports it", async () => {
    await mkdir(target(), { recursive: true });
    await writeFile(path.join(target(), "index.ndjson"), '{"mine":true}\n');
    await expect(writeAll(target(), pages)).rejects.toThrow("is not an index written by quarry");
    expect(await readFile(path.join(target(), "index.ndjson"), "utf8")).toBe('{"mine":true}\n');
  });

  it("writes several formats to files of their own and front matter for an empty page", async () => {
    const { metadata } = buildPage("http://a.test/p");
    await writeAll(target(), [
      buildPage("http://a.test/p", { html: "<p>-->", links: ["http://a.test/q"] }),
      { rawHtml: "<p>", metadata: { ...metadata, sourceURL: "http://a.test/raw" } },
      { metadata: { ...metadata, sourceURL: "http://a.test/none" } },
    ]);
    const files = (await readdir(path.join(target(), "a.test"))).toSorted();
    expect(files).toEqual(["none.md", "p.html", "p.json", "p.md", "raw.html"]);
  });

  it("names a path that cannot be a folder", async () => {
    await writeFile(path.join(folder, "out"), "a file");
    await expect(writeAll(target(), pages)).rejects.toThrow(/--out: .* cannot be written \(E\w+\)/);
  });
});

describe("NDJSON output", () => {
  const target = (): string => path.join(folder, "pages.ndjson");

  it("writes one document per line and resumes after a torn line", async () => {
    await writeAll(target(), pages, 2);
    await appendFile(target(), '{"markdown":"Te');
    expect(await writeAll(target(), pages)).toBe(2);
    expect(await lines(target())).toEqual(JSON.parse(JSON.stringify(pages)));
  });

  it("starts over when the file begins with a torn line", async () => {
    await writeFile(target(), '{"markdown":"Te');
    expect(await writeAll(target(), pages)).toBe(0);
    expect(await lines(target())).toHaveLength(3);
  });

  it.each(["mine\n", "mine, without a line end", '{"a":1}\n'])(
    "rejects and keeps an NDJSON file with other content (%j)",
    async (text) => {
      await writeFile(target(), text);
      await expect(writeAll(target(), pages)).rejects.toThrow("--out: ");
      expect(await readFile(target(), "utf8")).toBe(text);
    },
  );

  it("rejects the NDJSON file of another job", async () => {
    await writeAll(target(), pages);
    await expect(writeAll(target(), [buildPage("http://b.test/")])).rejects.toThrow(
      "other documents",
    );
  });
});

describe("output target", () => {
  it.each(["pages.json", "pages.CSV", "x/page.md", ""])("rejects the target %j", (target) => {
    expect(() => checkOutputTarget(target)).toThrow("--out ");
  });
  it.each(["docs", "docs/v1.2", "pages.ndjson", "pages.jsonl", "-", undefined])(
    "accepts the target %j",
    (target) => expect(() => checkOutputTarget(target)).not.toThrow(),
  );
});

it.each([
  ["a folder below a file", "file/pages", "ENOTDIR"],
  ["a file in a folder that is missing", "missing/pages.ndjson", "ENOENT"],
])("%s is rejected before anything starts", async (_what, place, code) => {
  await writeFile(path.join(folder, "file"), "");
  expect(() => checkOutputTarget(path.join(folder, place))).toThrow(`cannot be written (${code})`);
});

it.skipIf(process.platform !== "linux")("a folder that cannot be created is an error", async () => {
  await expect(openOutput("/proc/pages", jobOf([]))).rejects.toThrow(
    "/proc/pages cannot be written",
  );
});
