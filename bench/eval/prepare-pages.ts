// Prepares labelled pages for training: splits them into blocks with the product's code, in the
// state before the main-content step.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { Document } from "domhandler";
import { blockText } from "../../src/html/main-content/blocks/blocks.ts";
import type { PageTokens } from "../../src/html/main-content/features/evidence.ts";
import { computeFeatures } from "../../src/html/main-content/features/features.ts";
import { computeKindFeatures } from "../../src/html/main-content/model/page-kind.ts";
import { analyzePage } from "../../src/html/main-content/features/page-view.ts";
import { unpackTables } from "../../src/html/main-content/features/word-table.ts";
import { selectContent, type MainContentFinder } from "../../src/html/clean/content.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";
import { labelBlocks } from "./label-blocks.ts";
import { readPages, type LabelledPage } from "./read-pages.ts";

/** Input of the main-content step for a page. */
export type PageQuestion = Parameters<MainContentFinder>[1];

/** A page as feature rows, one per block, with targets from 0 to 1 and NaN for unknown. */
export type PreparedPage = {
  readonly set: LabelledPage["set"];
  readonly id: string;
  readonly domain: string;
  readonly kind: string;
  /** Word values are 0 until the tables are learned. */
  readonly values: Float32Array;
  readonly signs: PageTokens;
  /** The page as one row, to classify its kind. */
  readonly kindRow: Float32Array;
  readonly targets: Float32Array;
  readonly sizes: Float32Array;
  readonly texts: readonly string[];
  readonly truth: string;
};

const NO_TABLES = unpackTables({ near: "", far: "", text: "", heading: "", label: "" });

/** Runs a page through the product up to the main-content step, which is `find`. */
export function reduce(
  page: Pick<LabelledPage, "url" | "html">,
  find: (root: Document, page: PageQuestion) => void,
): ReturnType<typeof selectContent> {
  return selectContent(parseHtml(page.html), {
    url: page.url || "http://localhost/",
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    findMainContent: (root, found) => {
      find(root, found);
      return { removals: [] };
    },
    parseAgain: () => parseHtml(page.html),
  });
}

function prepare(page: LabelledPage): PreparedPage {
  let prepared: PreparedPage | undefined;
  reduce(page, (root, found) => {
    const view = analyzePage(root, found);
    const { blocks } = view.segmentation;
    const texts = blocks.map((block) => blockText(view.segmentation, block));
    prepared = {
      set: page.set,
      id: page.id,
      domain: page.domain,
      kind: page.kind,
      values: computeFeatures(view, NO_TABLES),
      signs: view.signs,
      kindRow: computeKindFeatures(view, found.url, found.hints),
      targets: labelBlocks(page, texts),
      sizes: Float32Array.from(blocks, (block) => block.size),
      texts,
      truth: page.truth ?? "",
    };
  });
  if (prepared === undefined)
    throw new Error(`${page.set} ${page.id} never reached the main-content step`);
  return prepared;
}

/** Prepares all pages below `root`; caches them in the file `cache` if given. */
export function preparePages(root: string, cache?: string): PreparedPage[] {
  if (cache !== undefined && existsSync(cache))
    return deserialize(readFileSync(cache)) as PreparedPage[];
  const pages = readPages(root).map(prepare);
  if (cache !== undefined) writeFileSync(cache, serialize(pages));
  return pages;
}
