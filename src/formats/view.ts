// The capture as formats see it: decoded once, parsed once, main content selected once, each on first use.
// Selecting content prunes the tree, so whatever reads the original page is read before (see index.ts for the order).
import type { Document as HtmlDocument } from "domhandler";
import type { AudioSource } from "../audio/find-audio.ts";
import { selectContent, type Content } from "../html/content.ts";
import { readEvidence, type Evidence } from "../html/evidence.ts";
import { findMainContent } from "../html/main-content/find-main-content.ts";
import { baseUrl } from "../html/base-url.ts";
import type { SiteText } from "../html/main-content/site-blocks.ts";
import { explainMetadata, readMetadata } from "../html/metadata/index.ts";
import { readPageLinks, type PageLinks } from "../html/page-links.ts";
import { readFeed } from "../feeds/read-feed.ts";
import { parseHtml } from "../html/parse.ts";
import type { Reading } from "./content-text.ts";
import type { DeriveInput, Explanation } from "./derivation.ts";
import type { JsonDraft } from "./json/json-draft.ts";
import { pageKind, type PageKind } from "./page-kind.ts";

export class PageView {
  readonly input: DeriveInput;
  readonly kind: PageKind;
  /** The body as it came. */
  readonly text: string;
  /** What is parsed: the body, or the page that was made of it. */
  readonly markup: string;
  /** Where its audio is; only looked for where that is asked for. */
  audio: readonly AudioSource[] = [];
  readonly warnings: string[] = [];
  readonly steps: Record<string, number> = {};
  /** What the json format found. */
  jsonDraft: JsonDraft | undefined;
  /** The content as text, once something has read it. */
  reading: Reading | undefined;
  /** What the page has to do with its site, once its content was found. */
  site: SiteText | undefined;
  /** Words that give orders to a model. */
  orders: string | undefined;
  #document: HtmlDocument | undefined;
  #content: Content | undefined;
  #metadata: Record<string, string | string[]> = {};
  #metadataSources: Record<string, string> = {};
  #evidence: Evidence | undefined;
  #found: PageLinks | undefined;
  #base: string | undefined;

  constructor(input: DeriveInput, text: string) {
    this.input = input;
    const kind = pageKind(input.mimeType);
    const feed = input.text && input.file === undefined && readFeed(text, input.mimeType);
    this.kind = typeof feed === "string" ? "feed" : kind;
    this.text = text;
    this.markup = typeof feed === "string" ? feed : text;
  }

  /** Is there a tree to select from: a page, or what was made into one? */
  hasTree(): boolean {
    return this.kind === "html" || this.kind === "feed";
  }

  /** The parsed page; its metadata and evidence are read at once, before anything prunes it. */
  document(): HtmlDocument {
    if (this.#document !== undefined) return this.#document;
    const started = performance.now();
    const document = parseHtml(this.markup);
    const parsedAt = performance.now();
    this.steps["parse"] = parsedAt - started;
    this.#document = document;
    const source = { url: this.input.url, contentType: this.input.contentType };
    this.#metadata = readMetadata(document, source);
    if (this.input.explain) this.#metadataSources = explainMetadata(document, source);
    if (this.kind === "html") this.#evidence = readEvidence(document, this.text);
    this.steps["metadata"] = performance.now() - parsedAt;
    if (this.input.discover) {
      const readAt = performance.now();
      this.#found = readPageLinks(document, this.input.url, this.input.linkHeader);
      this.steps["discover"] = performance.now() - readAt;
    }
    return document;
  }

  /** What the page says of itself, by wire key. */
  metadata(): Readonly<Record<string, string | string[]>> {
    this.document();
    return this.#metadata;
  }

  base(): string {
    this.#base ??= baseUrl(this.document(), this.input.url);
    return this.#base;
  }

  /** The part of the page that the tag options and onlyMainContent leave; prunes the tree. */
  content(): Content {
    if (this.#content !== undefined) return this.#content;
    const document = this.document();
    const started = performance.now();
    this.#content = selectContent(document, {
      url: this.input.url,
      // All of a feed is content.
      onlyMainContent: this.kind === "html" && this.input.onlyMainContent,
      includeTags: this.input.includeTags,
      excludeTags: this.input.excludeTags,
      dropConcealed: this.input.dropConcealed === true,
      findMainContent: (root, page) => {
        const { explain, known } = this.input;
        const found = findMainContent(root, { ...page, explain, known });
        this.site = found.site;
        return found;
      },
      parseAgain: () => parseHtml(this.markup),
    });
    this.warnings.push(...this.#content.warnings);
    this.steps["content"] = performance.now() - started;
    return this.#content;
  }

  finish(): {
    metadata: Record<string, string | string[]>;
    evidence: Evidence | undefined;
    found: PageLinks | undefined;
  } {
    if (this.hasTree()) this.document();
    return { metadata: this.#metadata, evidence: this.#evidence, found: this.#found };
  }

  explain(): Explanation {
    return {
      removals: this.#content?.removals ?? [],
      contentWords: this.#evidence?.words ?? 0,
      fallback: this.#content?.fallback,
      metadataSources: this.#metadataSources,
    };
  }
}
