import { readdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pdfFile } from "../../test/documents/pdf-file.ts";
import { buildDocx, buildXlsx } from "../../test/documents/zip.ts";
import { pdfBytes } from "../../test/site/behaviours/files.ts";
import { Deadline } from "../deadline.ts";
import { makeScratchFolder } from "../store/database/scratch-folders.ts";
import { createDocumentPool, type DocumentPool } from "./pool.ts";
import type { ParseWork } from "./protocol.ts";

let open: DocumentPool | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

function startPool(memoryMiB = 1_024): DocumentPool {
  open = createDocumentPool({ processes: 1, memoryMiB });
  return open;
}

async function parse(pool: DocumentPool, work: object, timeoutMs = 20_000): Promise<string> {
  using deadline = Deadline.start(timeoutMs);
  const whole: object = {
    url: "http://localhost/",
    budgetMs: timeoutMs,
    mode: "auto",
    maxPages: 10,
    ...work,
  };
  const file = await pool.parse(whole as ParseWork, deadline);
  return (
    file.markdown ||
    file.pages.flatMap(({ blocks }) => blocks.map(({ markdown }) => markdown)).join("\n\n")
  );
}

const pdf = (bytes: Uint8Array) => ({ kind: "pdf" as const, bytes });
const office = (bytes: Uint8Array) => ({ kind: "office" as const, bytes });
/** Damages the file: changed bytes, a missing end, a hole, or wrong numbers. */
function damage(whole: Buffer, round: number): Buffer {
  let state = round + 1;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  if (round % 4 === 1) return whole.subarray(0, random(whole.length));
  if (round % 4 === 2) {
    const at = random(whole.length);
    return Buffer.concat([whole.subarray(0, at), whole.subarray(at + 100)]);
  }
  if (round % 4 === 3)
    return Buffer.from(
      whole.toString("latin1").replace(/\d+ 0 R/g, () => `${random(12)} 0 R`),
      "latin1",
    );
  const changed = Buffer.from(whole);
  for (let count = 0; count <= round; count++) changed[random(changed.length)] = random(256);
  return changed;
}

/** A page full of lines. */
const WORDS = Array.from({ length: 40 }, (_, at) => ({
  x: 72,
  y: 60 + 16 * at,
  text: `Line ${at}`,
}));
const GOOD = pdf(pdfBytes("All is well."));

describe("document pool", () => {
  it("parses PDFs and office files", async () => {
    const pool = startPool();
    expect(await parse(pool, GOOD)).toBe("All is well.");
    const docx = buildDocx("<w:p><w:r><w:t>A paragraph.</w:t></w:r></w:p>");
    expect(await parse(pool, office(docx))).toBe("A paragraph.");
    const csv = Buffer.from('Name,Value\nA,"1, 2"\n');
    expect(await parse(pool, { ...office(csv), format: "csv" })).toBe(
      "| Name | Value |\n| --- | --- |\n| A | 1, 2 |",
    );
    const japanese = Buffer.from("96bc914f2c93730a938c8b9e93732c8e528d910a", "hex");
    const work = { ...office(japanese), format: "csv", contentType: "text/csv; charset=shift_jis" };
    expect(await parse(pool, work as ParseWork)).toBe(
      "| 名前 | 都 |\n| --- | --- |\n| 東京都 | 山国 |",
    );
  });

  it("detects the format from the bytes, even if the file is called CSV", async () => {
    const docx = buildDocx("<w:p><w:r><w:t>A paragraph.</w:t></w:r></w:p>");
    expect(await parse(startPool(), { ...office(docx), format: "csv" })).toBe("A paragraph.");
  });

  it("parses a long table in little memory", async () => {
    const rows = Array.from({ length: 150_000 }, (_, at) => `${at},${at % 7},x`);
    const work = { ...office(Buffer.from(`a,b,c\n${rows.join("\n")}\n`)), format: "csv" };
    const table = await parse(startPool(256), work);
    expect(table.split("\n")).toHaveLength(150_002);
    expect(table.endsWith("| 149999 | 3 | x |")).toBe(true);
  });

  it("puts headers and footers around the text, and names a single sheet", async () => {
    const pool = startPool();
    const docx = buildDocx("<w:p><w:r><w:t>Body.</w:t></w:r></w:p>", {
      "word/header1.xml": '<w:hdr xmlns:w="w"><w:p><w:r><w:t>Head.</w:t></w:r></w:p></w:hdr>',
      "word/footer1.xml": '<w:ftr xmlns:w="w"><w:p><w:r><w:t>Foot.</w:t></w:r></w:p></w:ftr>',
    });
    expect(await parse(pool, office(docx))).toBe("Head.\n\nBody.\n\nFoot.");
    expect(await parse(pool, office(buildXlsx(["Ships"])))).toBe(
      "## Ships\n\n| Name | Ships |\n| --- | --- |\n| Value | 1 |",
    );
    const two = await parse(pool, office(buildXlsx(["Ships", "Ports"])));
    expect(two.match(/^## .*/gm)).toEqual(["## Ships", "## Ports"]);
  });

  it.each([
    ["nothing but the mark", pdf(Buffer.from("%PDF-1.7\n")), /damaged/],
    ["half a PDF", pdf(pdfBytes("x").subarray(0, 300)), /damaged/],
    [
      "a zip that is no document",
      office(Buffer.from("PK\x03\x04 and then nothing")),
      /not supported/,
    ],
    ["text without a kind", office(Buffer.from("just text")), /not supported/],
    [
      "a bomb",
      office(buildDocx(`<w:p><w:r><w:t>${"x".repeat(300_000_000)}</w:t></w:r></w:p>`)),
      /cannot be read|too much for the memory/,
    ],
  ])("rejects %s with a specific error and keeps working", async (_, work, message) => {
    const pool = startPool();
    await expect(parse(pool, work)).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringMatching(message) as string,
    });
    expect(await parse(pool, GOOD)).toBe("All is well.");
  });

  it("reports a specific outcome for every broken file", async () => {
    const pool = startPool();
    const whole = pdfFile(
      ["one", "two", "three"].map((text) => ({ lines: [{ x: 72, y: 90, text }] })),
    );
    const outcomes = new Set<string>();
    for (let round = 0; round < 90; round++) {
      const work = pdf(damage(whole, round));
      outcomes.add(
        await parse(pool, work).then(
          () => "read",
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect([...outcomes].sort()).toEqual(["SCRAPE_UNSUPPORTED_FILE_ERROR", "read"]);
  });

  it("does not expand XML entities", async () => {
    const laughs = '<!DOCTYPE a [<!ENTITY b "ha">]><w:p><w:r><w:t>one&b;two</w:t></w:r></w:p>';
    expect(await parse(startPool(), office(buildDocx(laughs)))).not.toContain("ha");
  });

  it("rejects a file that needs more memory than the limit", async () => {
    await expect(parse(startPool(16), GOOD)).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("16 MiB") as string,
    });
  });

  it("removes the scratch folder with its process, even if that is killed during a file", async () => {
    const probe = makeScratchFolder("probe");
    const all = (): string[] => readdirSync(dirname(probe));
    const before = new Set(all());
    const folders = (): string[] => all().filter((name) => !before.has(name));
    const pool = startPool();
    const long = pdfFile(Array.from({ length: 3_000 }, () => ({ lines: WORDS })));
    const work = { ...pdf(long), maxPages: 3_000, budgetMs: 60_000 };
    const parsing = parse(pool, work, 1_000);
    await expect.poll(folders).toHaveLength(1);
    await expect(parsing).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    await expect.poll(folders).toEqual([]);
    rmdirSync(probe);
  });

  it("gives a file the time that is left when its process has started", async () => {
    const pool = startPool();
    const file = pdfFile(Array.from({ length: 40 }, () => ({ lines: WORDS })));
    using deadline = Deadline.start(20_000);
    const work = { ...pdf(file), mode: "fast", maxPages: 40, ocr: undefined, url: "http://x/" };
    const { warnings } = await pool.parse({ ...work, budgetMs: 5 } as ParseWork, deadline);
    expect(warnings.join()).toContain("of 40 pages were read");
  });

  it("rejects at the deadline and parses the next file in the queue", async () => {
    const pool = startPool();
    const late = parse(pool, GOOD, 20);
    const next = parse(pool, GOOD);
    await expect(late).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect(await next).toBe("All is well.");
  });

  it("rejects new files after it is closed", async () => {
    const pool = startPool();
    await pool.close();
    await expect(parse(pool, GOOD)).rejects.toThrow("closing");
  });
});
