// Builds the input of a conversion thread from a capture: the fetched bytes, or what they were
// parsed into.
import type { Capture } from "../capture.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import type { DeriveInput, Explain, VerdictOptions, StoredProgram } from "../formats/derivation.ts";
import { isTextKind, detectPageKind } from "../formats/page/page-kind.ts";
import { needsModel } from "../formats/model/understand.ts";
import { findParsed } from "./check-support.ts";

export type DeriveOptions = {
  readonly options: ScrapeOptions;
  readonly explain: Explain;
  /** Also return the links a crawl may follow. */
  readonly discover: boolean;
  /** The program of the json format's extractor. */
  readonly extractor?: StoredProgram | undefined;
  /** Drop concealed text even if it is most of the page: for a model that acts autonomously. */
  readonly dropConcealed?: boolean | undefined;
  /** Also read tables and repeated records as rows. */
  readonly tables?: boolean | undefined;
  /** In a crawl: texts that most pages of the site repeat so far, see DeriveInput. */
  readonly siteTexts?: (() => Int32Array) | undefined;
};

type Body = Pick<
  DeriveInput,
  "body" | "text" | "contentType" | "mimeType" | "onlyMainContent" | "file"
>;

/** The fetched bytes, or the parsed file, all of which is content. */
function deriveBody(capture: Capture, options: ScrapeOptions): Body {
  const parsed = findParsed(capture, options);
  if (parsed === undefined) {
    const { body, contentType, mimeType } = capture;
    const text = isTextKind(detectPageKind(mimeType));
    return { body, text, contentType, mimeType, onlyMainContent: options.onlyMainContent };
  }
  const pdf = options.parsers.find((parser) => parser.type === "pdf");
  return {
    body: new TextEncoder().encode(parsed.html),
    text: true,
    contentType: "text/html; charset=utf-8",
    mimeType: "text/html",
    onlyMainContent: false,
    file: {
      parsed: { markdown: parsed.markdown, pages: parsed.pages },
      pageMarkers: pdf?.pageMarkers ?? false,
      pages: pdf?.pages ?? false,
      blocks: pdf?.blocks ?? false,
    },
  };
}

/** Builds the input for a conversion thread. `hasModel`: a model will read the content as well. */
export function deriveInput(
  capture: Capture,
  { options, explain, discover, dropConcealed, extractor, tables, siteTexts }: DeriveOptions,
  { hasModel, judging }: { readonly hasModel: boolean; readonly judging: VerdictOptions },
): DeriveInput {
  return {
    judging,
    ...deriveBody(capture, options),
    url: capture.finalUrl,
    fetchedAt: capture.fetchedAt,
    formats: options.formats,
    includeTags: options.includeTags,
    excludeTags: options.excludeTags,
    removeBase64Images: options.removeBase64Images,
    markdown: options.markdown,
    explain,
    discover,
    dropConcealed,
    tables,
    extractor,
    reads: hasModel && needsModel(options.formats),
    linkHeader: capture.headers
      .flatMap(([name, value]) => (name === "link" ? [value] : []))
      .join(", "),
    probes: capture.evidence?.probes,
    appeared: capture.evidence?.appeared,
    get known() {
      return siteTexts?.();
    },
  };
}
