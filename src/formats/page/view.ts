// The capture as formats see it: decoded once, parsed once, main content selected once, each
// lazily. Formats may be derived in any order.
import type { Document as HtmlDocument } from "domhandler";
import type { AudioSource } from "../../audio/find-audio.ts";
import { selectContent, type Content } from "../../html/clean/content.ts";
import { readEvidence, type Evidence } from "../../html/evidence/evidence.ts";
import {
  findMainContent,
  type MainContent,
  type MainContentSummary,
} from "../../html/main-content/find-main-content.ts";
import { resolveBaseUrl } from "../../html/links/base-url.ts";
import { listLinks } from "../../html/links/links.ts";
import type { SiteText } from "../../html/main-content/passes/site-blocks.ts";
import type { HeadingAnchors } from "../../html/markdown/anchors.ts";
import { collectAnchors } from "../../html/markdown/collect-anchors.ts";
import { explainMetadata, readMetadata } from "../../html/metadata/index.ts";
import { measureText } from "../../html/clean/measure-text.ts";
import { PageOverlay, type BlockNote } from "../../html/clean/overlay.ts";
import { readPageLinks, type PageLinks } from "../../html/links/page-links.ts";
import { readFeed } from "../../feeds/read-feed.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import type { ContentReading } from "./content-text.ts";
import type { PageModelView } from "../../contract/page/explanation.ts";
import type { Extraction } from "../../contract/page/metadata.ts";
import { describeExtraction } from "./describe-extraction.ts";
import type { DeriveInput, Explanation, ExtractorRun } from "../derivation.ts";
import type { JsonDraft } from "../json/draft/json-draft.ts";
import { InternalError } from "../../errors.ts";
import type { Tokenizer } from "../markdown/markdown-chunks.ts";
import type { ModelPage } from "../model/model-page.ts";
import { detectPageKind, type PageKind } from "./page-kind.ts";
import { PageTree } from "./page-tree.ts";

export class PageView {
  readonly input: DeriveInput;
  readonly kind: PageKind;
  /** The body as received. */
  readonly text: string;
  /** The parsed markup: the body, or the page built from it. */
  readonly markup: string;
  /** Audio sources; only searched for if requested. */
  audio: readonly AudioSource[] = [];
  readonly warnings: string[] = [];
  readonly steps: Record<string, number> = {};
  /** Result of the json format. */
  jsonDraft: JsonDraft | undefined;
  /** The page for a model, if the rules are not sufficient. */
  modelPage: ModelPage | undefined;
  /** The model needs the content's Markdown, line by line. */
  needsModelText = false;
  /** The page model for the explanation. */
  pageModel: PageModelView | undefined;
  /** Result of the extractor in the json format. */
  extractorRun: ExtractorRun | undefined;
  /** The content as text, once a format has read it. */
  reading: ContentReading | undefined;
  /** Text shared with the site, once the content was found. */
  site: SiteText | undefined;
  /** Text with instructions to a model. */
  injection: string | undefined;
  #mainContent: MainContentSummary | undefined;
  readonly #tree = new PageTree(() => parseHtml(this.markup));
  #isRead = false;
  #content: Content | undefined;
  #metadata: Record<string, string | string[]> = {};
  #metadataSources: Record<string, string> = {};
  #evidence: Evidence | undefined;
  #found: PageLinks | undefined;
  #links: string[] = [];
  #base = "";
  #overlay: PageOverlay | undefined;
  #anchors: HeadingAnchors | undefined;

  readonly #tokenizer: Tokenizer | undefined;

  constructor(input: DeriveInput, text: string, tokenizer?: Tokenizer) {
    this.input = input;
    this.#tokenizer = tokenizer;
    const kind = detectPageKind(input.mimeType);
    const feed = input.text && input.file === undefined && readFeed(text, input.mimeType);
    this.kind = typeof feed === "string" ? "feed" : kind;
    this.text = text;
    this.markup = typeof feed === "string" ? feed : text;
  }

  /** Returns the tokenizer, which `deriveWithTokens` loads. */
  getTokenizer(): Tokenizer {
    if (this.#tokenizer === undefined) throw new InternalError("The tokenizer is not loaded.");
    return this.#tokenizer;
  }

  /** Counts the tokens of a text; undefined where no tokenizer is loaded. */
  getCounter(): ((text: string) => number) | undefined {
    const tokenizer = this.#tokenizer;
    return tokenizer && ((text) => tokenizer.countTokens(text));
  }

  /**
   * True if a model may read only the kept content: elements that the caller named, or visible
   * text.
   */
  isLimited(): boolean {
    const { includeTags, excludeTags, dropConcealed } = this.input;
    return includeTags.length + excludeTags.length > 0 || dropConcealed === true;
  }

  /** True if there is a tree to select from: a page, or something converted to one. */
  hasTree(): boolean {
    return this.kind === "html" || this.kind === "feed";
  }

  /** Returns the parsed page, which never changes. */
  getDocument(): HtmlDocument {
    this.#readPage();
    return this.#tree.share();
  }

  /** Reads metadata, evidence and what else every request needs, on the first call. */
  #readPage(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const started = performance.now();
    const document = this.#tree.peek();
    const parsedAt = performance.now();
    this.steps["parse"] = parsedAt - started;
    const { url, contentType, fetchedAt } = this.input;
    const source = { url, contentType, fetchedAt };
    this.#metadata = readMetadata(document, source);
    if (this.input.explain !== false) this.#metadataSources = explainMetadata(document, source);
    if (this.kind === "html") this.#evidence = readEvidence(document);
    this.#base = resolveBaseUrl(document, url);
    this.steps["metadata"] = performance.now() - parsedAt;
    if (this.input.discover) {
      const readAt = performance.now();
      this.#found = readPageLinks(document, this.input.url, this.input.linkHeader);
      this.steps["discover"] = performance.now() - readAt;
    }
  }

  /** Returns the page's metadata by wire key. */
  getMetadata(): Readonly<Record<string, string | string[]>> {
    this.#readPage();
    return this.#metadata;
  }

  /** Counts and signals of the page; undefined for anything but HTML. */
  getEvidence(): Evidence | undefined {
    if (this.hasTree()) this.#readPage();
    return this.#evidence;
  }

  getBase(): string {
    this.#readPage();
    return this.#base;
  }

  /** Returns the part of the page that the tag options and onlyMainContent leave. */
  getContent(): Content {
    if (this.#content !== undefined) return this.#content;
    this.#readPage();
    const started = performance.now();
    this.#content = selectContent(this.#tree.take(), {
      url: this.input.url,
      // A feed is content as a whole.
      onlyMainContent: this.kind === "html" && this.input.onlyMainContent,
      includeTags: this.input.includeTags,
      excludeTags: this.input.excludeTags,
      dropConcealed: this.input.dropConcealed === true,
      findMainContent: (root, page) => {
        const { explain, known, appeared } = this.input;
        const overlay = this.#overlay;
        const onBlock = overlay && ((note: BlockNote) => overlay.noteBlock(note));
        const isTold = explain !== false;
        const found = findMainContent(root, { ...page, explain: isTold, known, appeared, onBlock });
        this.#takeMainContent(found);
        return found;
      },
      onParsed: (page) => {
        const { headingAnchors = false, chunks } = this.input.markdown ?? {};
        if (headingAnchors || chunks !== undefined) this.#anchors = collectAnchors(page);
      },
      onPrepared: (page) => {
        if (this.input.explain === "overlay") this.#overlay = new PageOverlay(page);
      },
      onSelected: this.input.formats.some(({ type }) => type === "links")
        ? (root, base) => (this.#links = listLinks(root, base))
        : undefined,
      parseAgain: () => this.#tree.take(),
    });
    this.warnings.push(...this.#content.warnings);
    this.steps["content"] = performance.now() - started;
    return this.#content;
  }

  /**
   * Describes what was extracted from an HTML page; undefined if no format needed its content.
   */
  describeExtraction(markdown: string | undefined): Extraction | undefined {
    if (this.kind !== "html" || this.input.file !== undefined || this.#content === undefined)
      return undefined;
    return describeExtraction(measureText(this.#content.root), markdown, this.#mainContent);
  }

  #takeMainContent(all: MainContent): void {
    const { removals: _, ...found } = all;
    if (found.level === "generator") this.#mainContent = found;
    else ({ site: this.site, ...this.#mainContent } = found);
  }

  /** Returns all links that the tag options leave, inside main content or not. */
  links(): string[] {
    this.getContent();
    return this.#links;
  }

  finish(): {
    metadata: Record<string, string | string[]>;
    evidence: Evidence | undefined;
    found: PageLinks | undefined;
  } {
    if (this.hasTree()) this.#readPage();
    return { metadata: this.#metadata, evidence: this.#evidence, found: this.#found };
  }

  /** Returns the fragments of the headings; undefined if the Markdown options need none. */
  getAnchors(): HeadingAnchors | undefined {
    this.getContent();
    return this.#anchors;
  }

  /** Returns the explanation; selects the content if no format has. */
  explain(): Explanation {
    const content = this.hasTree() ? this.getContent() : undefined;
    return {
      removals: content?.removals.map(({ element: _element, ...removal }) => removal) ?? [],
      contentWords: this.#evidence?.words ?? 0,
      fallback: content?.fallback,
      metadataSources: this.#metadataSources,
      pageModel: this.pageModel,
      mainContent: this.#mainContent,
      overlay: content && this.#drawOverlay(content),
    };
  }

  #drawOverlay({ root, removals, fallback }: Content): string | undefined {
    const { title } = this.#metadata;
    const remark =
      fallback === undefined ? "" : "no main content was found: the whole page is kept";
    const page = { url: this.input.url, title: typeof title === "string" ? title : "", remark };
    return this.#overlay?.write(page, fallback === undefined ? root : undefined, removals);
  }
}
