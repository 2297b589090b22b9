// The guides of docs/ as pages of this server: read from the folder, rendered once, searched by
// section.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderGuide, type GuideSection } from "./render-guide.ts";

export type Guide = {
  /** Path below /docs, such as "crawling" or "reference/errors". */
  readonly name: string;
  readonly title: string;
  /** The first paragraph as text. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly GuideSection[];
};

export type SearchHit = {
  readonly guide: Guide;
  readonly section: GuideSection;
  /** Text around the first match. */
  readonly excerpt: string;
};

export const GUIDES_FOLDER = fileURLToPath(new URL("../../../../docs/", import.meta.url));

const MAX_HITS = 30;
const MAX_TERMS = 8;
const EXCERPT_CHARACTERS = 220;
const TITLE_WEIGHT = 20;

/** Loads all guides of a folder and its subfolders, sorted by name. */
export async function loadGuides(folder: string = GUIDES_FOLDER): Promise<Guide[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.split(path.sep).join("/"))
    .toSorted();
  const names = new Set(files.map((file) => file.slice(0, -".md".length)));
  return await Promise.all(
    [...names].map(async (name) => ({
      name,
      ...renderGuide(await readFile(path.join(folder, `${name}.md`), "utf8"), name, names),
    })),
  );
}

const countOccurrences = (text: string, term: string): number => text.split(term).length - 1;

/** Returns sections with all words of the query, best first. */
export function searchGuides(guides: readonly Guide[], query: string): SearchHit[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  const hits: (SearchHit & { readonly score: number })[] = [];
  for (const guide of guides) {
    for (const section of guide.sections) {
      const title = `${guide.title} ${section.title}`.toLowerCase();
      const text = section.text.toLowerCase();
      if (!terms.every((term) => title.includes(term) || text.includes(term))) continue;
      const score = terms.reduce(
        (sum, term) =>
          sum +
          (title.includes(term) ? TITLE_WEIGHT : 0) +
          Math.min(10, countOccurrences(text, term)),
        0,
      );
      const found = terms.map((term) => text.indexOf(term)).filter((at) => at >= 0);
      const from = Math.max(0, Math.min(...found, text.length) - EXCERPT_CHARACTERS / 3);
      const excerpt = section.text.slice(from, from + EXCERPT_CHARACTERS).trim();
      hits.push({ guide, section, excerpt, score });
    }
  }
  return hits.toSorted((left, right) => right.score - left.score).slice(0, MAX_HITS);
}
