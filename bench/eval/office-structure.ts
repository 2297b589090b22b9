// Measures how much structure of known Markdown survives in office files converted by LibreOffice:
// `node bench/eval/office-structure.ts FOLDER SCORER`, with a folder of Markdown files and the
// scoring module (its `structureScore(found, wanted)` gives F1 by kind). Text documents contain all
// of the Markdown, spreadsheets its first table, presentations its headings and list items. Prints
// the means, and the worst files of each kind.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { marked } from "marked";
import { findOfficeKindByName } from "../../src/documents/office/kinds.ts";
import { readOffice } from "../../src/documents/office/read-office.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

type Scores = Record<string, number>;
type Scorer = {
  readonly structureScore: (found: string, wanted: string) => Scores;
  readonly structure: (markdown: string) => {
    readonly headings: readonly string[];
    readonly tables: readonly (readonly (readonly string[])[])[];
    readonly items: readonly string[];
  };
};

const [folder = ".", scorer = ""] = process.argv.slice(2);
const { structureScore, structure } = (await import(pathToFileURL(resolve(scorer)).href)) as Scorer;
const run = promisify(execFile);
const place = await mkdtemp(join(tmpdir(), "quarry-office-"));

const FORMATS = {
  text: ["docx", "odt", "rtf", "doc"],
  table: ["xlsx", "ods", "xls"],
  slides: ["pptx", "odp", "ppt"],
} as const;
/** Filters where the extension alone would select another. */
const FILTERS: Readonly<Record<string, string>> = {
  docx: "docx:MS Word 2007 XML",
  doc: "doc:MS Word 97",
  odt: "odt:writer8",
  rtf: "rtf:Rich Text Format",
};

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Builds a presentation as one flat OpenDocument file: a slide per heading with its list. */
function buildSlides(headings: readonly string[], items: readonly string[]): string {
  const each = Math.ceil(items.length / Math.max(1, headings.length));
  const frame = (kind: string, y: number, height: number, inner: string): string =>
    `<draw:frame presentation:class="${kind}" presentation:style-name="P" draw:layer="layout" svg:x="2cm" svg:y="${y}cm" svg:width="24cm" svg:height="${height}cm"><draw:text-box>${inner}</draw:text-box></draw:frame>`;
  const slides = headings.map((heading, at) => {
    const own = items.slice(at * each, (at + 1) * each);
    const list = own.map(
      (item) => `<text:list-item><text:p>${escapeXml(item)}</text:p></text:list-item>`,
    );
    const outline =
      own.length === 0 ? "" : frame("outline", 4, 12, `<text:list>${list.join("")}</text:list>`);
    return `<draw:page draw:name="s${at}" draw:master-page-name="M" presentation:presentation-page-layout-name="L">${frame("title", 1, 2, `<text:p>${escapeXml(heading)}</text:p>`)}${outline}</draw:page>`;
  });
  const spaces = [
    ...["office", "text", "presentation"].map(
      (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
    ),
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  ].join(" ");
  // Frames are titles and outlines only with a layout and a master page.
  const styles =
    '<office:styles><style:presentation-page-layout style:name="L"><presentation:placeholder presentation:object="title"/><presentation:placeholder presentation:object="outline"/></style:presentation-page-layout></office:styles><office:automatic-styles><style:page-layout style:name="PM"/><style:style style:name="P" style:family="presentation"/></office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="PM"/></office:master-styles>';
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation">${styles}<office:body><office:presentation>${slides.join("")}</office:presentation></office:body></office:document>`;
}

const toCsv = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");

const toRows = (table: readonly (readonly string[])[]): string =>
  table
    .map((row, at) => {
      const line = `| ${row.join(" | ")} |`;
      return at === 0 ? `${line}\n|${row.map(() => " --- |").join("")}` : line;
    })
    .join("\n");

type Source = {
  readonly kind: keyof typeof FORMATS;
  readonly file: string;
  readonly wanted: string;
};

async function writeSources(): Promise<Source[]> {
  const sources: Source[] = [];
  for (const kind of Object.keys(FORMATS)) await mkdir(join(place, kind));
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".md"))) {
    const markdown = await readFile(join(folder, name), "utf8");
    const id = basename(name, ".md");
    const { headings, tables, items } = structure(markdown);
    const add = async (kind: Source["kind"], ending: string, body: string, wanted: string) => {
      const file = join(place, kind, `${id}.${ending}`);
      await writeFile(file, body);
      sources.push({ kind, file, wanted });
    };
    const html = await marked(markdown.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1"));
    await add(
      "text",
      "html",
      `<!doctype html><html><head><meta charset="utf-8"></head><body>${html}</body></html>`,
      markdown,
    );
    const [table] = tables;
    if (table !== undefined) await add("table", "csv", toCsv(table), toRows(table));
    if (headings.length > 0)
      await add(
        "slides",
        "fodp",
        buildSlides(headings, items),
        [...headings.map((text) => `## ${text}`), ...items.map((text) => `- ${text}`)].join("\n\n"),
      );
  }
  return sources;
}

async function convert(sources: readonly Source[], format: string): Promise<void> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(place, "profile")).href}`;
  const infilter = sources[0]?.kind === "table" ? ["--infilter=CSV:44,34,76,1"] : [];
  const options = ["--headless", "--norestore", profile, ...infilter];
  const target = ["--convert-to", FILTERS[format] ?? format, "--outdir", join(place, format)];
  const writer = sources[0]?.kind === "text" ? ["--writer"] : [];
  await run("soffice", [...options, ...writer, ...target, ...sources.map(({ file }) => file)], {
    timeout: 300_000,
    maxBuffer: 16 * 1024 * 1024,
  });
}

async function score(source: Source, format: string): Promise<{ scores: Scores; ms: number }> {
  const name = basename(source.file).replace(/\.\w+$/, `.${format}`);
  const bytes = await readFile(join(place, format, name));
  const started = performance.now();
  const { html } = await readOffice(bytes, findOfficeKindByName(name), 1_024);
  const found = toMarkdown(parseHtml(html));
  const ms = performance.now() - started;
  await writeFile(join(place, format, `${name}.md`), found);
  return { scores: structureScore(found, source.wanted), ms };
}

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

try {
  const sources = await writeSources();
  const asked = process.env["FORMATS"]?.split(",");
  for (const [kind, formats] of Object.entries(FORMATS)) {
    const own = sources.filter((source) => source.kind === kind);
    for (const format of formats) {
      if (asked !== undefined && !asked.includes(format)) continue;
      await convert(own, format);
      const results: { file: string; scores: Scores; ms: number }[] = [];
      let failed = 0;
      for (const source of own) {
        try {
          results.push({ file: basename(source.file), ...(await score(source, format)) });
        } catch (error) {
          failed++;
          process.stderr.write(`${format} ${basename(source.file)}: ${String(error)}\n`);
        }
      }
      const keys = [...new Set(results.flatMap(({ scores }) => Object.keys(scores)))];
      const figures = keys.map((key) => {
        const known = results.filter(({ scores }) => scores[key] !== undefined);
        const worst = known
          .toSorted((a, b) => (a.scores[key] ?? 0) - (b.scores[key] ?? 0))
          .slice(0, 2);
        const worstText = worst
          .map(({ file, scores }) => `${file} ${scores[key]?.toFixed(2)}`)
          .join(", ");
        return `  ${key.padEnd(9)} ${computeMean(known.map(({ scores }) => scores[key] ?? 0)).toFixed(3)} of ${known.length}   worst: ${worstText}`;
      });
      const ms = computeMean(results.map((result) => result.ms)).toFixed(1);
      process.stdout.write(
        `${format}: ${results.length} read, ${failed} failed, ${ms} ms each\n${figures.join("\n")}\n`,
      );
    }
  }
} finally {
  if (process.env["KEEP"] === undefined) await rm(place, { recursive: true, force: true });
  else process.stdout.write(`kept in ${place}\n`);
}
