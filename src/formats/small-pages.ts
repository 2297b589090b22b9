// Small pages are converted in the main thread: the way to another thread and back, whose caches hold something else by then,
// costs more than they do (decision 0017).
import type { FormatType } from "../contract/page/formats.ts";
import type { DeriveInput, Derived } from "./derivation.ts";

/**
 * Bytes of the body, and characters of all else that an answer brings. Of the pages of this size that were made up to be slow, the
 * slowest takes 10 ms.
 */
const MOST = 2_048;
/** Blocks that a site repeats; they are put into a table for each page. */
const MAX_KNOWN = 1_000;
/** What a page costs in them is bounded by its size, not by what a request says besides. */
const PLAIN: ReadonlySet<FormatType> = new Set(["markdown", "html", "rawHtml", "links", "images"]);
/** The code that converts takes .1 s and 5 MB to be loaded: a crawl with a few pages of errors does without. */
const PAGES_BEFORE = 20;

type Derive = (input: DeriveInput) => Derived;

export class SmallPages {
  #seen = 0;
  #derive: Derive | undefined;

  /** The formats of a small page; undefined for what is for a thread: any other page, and the first small ones. */
  convert(input: DeriveInput): Derived | undefined {
    if (!isSmall(input)) return undefined;
    this.#seen += 1;
    if (this.#seen === PAGES_BEFORE) this.load().catch(() => (this.#seen = 0));
    return this.#derive?.(input);
  }

  /** Loads what converts; is called by itself when enough small pages have come. */
  async load(): Promise<void> {
    const { derive } = await import("./derive.ts");
    this.#derive = derive;
  }
}

function isSmall(input: DeriveInput): boolean {
  return (
    input.body.byteLength <= MOST &&
    input.url.length + input.contentType.length + input.linkHeader.length <= MOST &&
    input.formats.every(({ type }) => PLAIN.has(type)) &&
    input.includeTags.length === 0 &&
    input.excludeTags.length === 0 &&
    input.explain === false &&
    input.reads !== true &&
    input.file === undefined &&
    input.branding === undefined &&
    (input.known?.length ?? 0) <= MAX_KNOWN
  );
}
