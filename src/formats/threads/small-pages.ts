// Converts small pages in the main thread: the round trip to another thread with cold caches costs
// more than the conversion (decision 0017).
import type { FormatType } from "../../contract/page/formats.ts";
import type { DeriveInput, DerivedDocument } from "../derivation.ts";

/**
 * Maximum bytes of the body, and characters of the other response data. The slowest page of this
 * size that was constructed takes 10 ms.
 */
const MAX_BYTES = 2_048;
/** Maximum blocks that a site repeats; each page builds a table of them. */
const MAX_KNOWN = 1_000;
/** Formats whose cost is bounded by the page's size, not by the request. */
const PLAIN: ReadonlySet<FormatType> = new Set(["markdown", "html", "rawHtml", "links", "images"]);
/** The conversion code takes .1 s and 5 MB to load, which a crawl with a few error pages avoids. */
const MIN_PAGES_TO_LOAD = 20;

type Derive = (input: DeriveInput) => DerivedDocument;

export class SmallPages {
  #seen = 0;
  #derive: Derive | undefined;

  /**
   * Returns the formats of a small page, or undefined for pages that need a thread and for the
   * first small ones.
   */
  convert(input: DeriveInput): DerivedDocument | undefined {
    if (!isSmall(input)) return undefined;
    this.#seen += 1;
    if (this.#seen === MIN_PAGES_TO_LOAD) this.load().catch(() => (this.#seen = 0));
    return this.#derive?.(input);
  }

  /** Loads the conversion code if this page is small. */
  async loadFor(input: DeriveInput): Promise<void> {
    if (this.#derive === undefined && isSmall(input)) await this.load();
  }

  /** Loads the conversion code. Called automatically after enough small pages. */
  async load(): Promise<void> {
    const { derive } = await import("../derive.ts");
    this.#derive = derive;
  }
}

function isSmall(input: DeriveInput): boolean {
  return (
    input.body.byteLength <= MAX_BYTES &&
    input.url.length + input.contentType.length + input.linkHeader.length <= MAX_BYTES &&
    input.formats.every(({ type }) => PLAIN.has(type)) &&
    input.includeTags.length === 0 &&
    input.excludeTags.length === 0 &&
    input.explain === false &&
    input.reads !== true &&
    input.file === undefined &&
    input.markdown === undefined &&
    input.probes === undefined &&
    input.extractor === undefined &&
    input.appeared === undefined &&
    (input.known?.length ?? 0) <= MAX_KNOWN
  );
}
