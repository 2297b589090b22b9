// Selects the surviving parts of a page in the order of wire contract §4.1. The order matters: the
// caller's selectors are matched against the original page, formulas and lazy images are saved
// before scripts go, main content is found in what is left, and addresses are rewritten once
// nothing moves any more.
import type { Document } from "domhandler";
import { getElementIndex } from "../evidence/element-index.ts";
import { resolveBaseUrl } from "../links/base-url.ts";
import { rewriteContent } from "./rewrite-content.ts";
import { removeConcealed } from "./concealed.ts";
import { readPageHints, type PageHints } from "../evidence/page-hints.ts";
import { prepareDocument } from "./prepare.ts";
import type { RemovedElement } from "./removal.ts";
import { excludeElements, includeElements, removeNonContent } from "../select/select.ts";
import { hasText } from "../parse/tree.ts";

/** Finds the main content and prunes everything else from the tree in place. */
export type MainContentFinder = (
  document: Document,
  page: { readonly url: string; readonly hints: PageHints },
) => { readonly removals: readonly RemovedElement[] };

export type ContentOptions = {
  /** Address of the page, after redirects. */
  readonly url: string;
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  /** Also drops concealed text that is most of the page, if other text is left to read. */
  readonly dropConcealed?: boolean;
  readonly findMainContent: MainContentFinder;
  /** Called with each parsed page that content is selected from, before anything else. */
  readonly onParsed?: ((document: Document) => void) | undefined;
  /** Called with the page before anything is removed from it. */
  readonly onPrepared?: ((document: Document) => void) | undefined;
  /**
   * Called with the result of the caller's tag filters and the base for relative addresses, before
   * main content is found.
   */
  readonly onSelected?: ((root: Document, base: string) => void) | undefined;
  /** Returns the same page again, for when no main content was found. */
  readonly parseAgain: () => Document;
};

export type Content = {
  readonly root: Document;
  /** Base for the page's relative addresses. */
  readonly base: string;
  readonly removals: readonly RemovedElement[];
  readonly warnings: readonly string[];
  /** Set when main content was empty and the whole page was used instead. */
  readonly fallback?: "whole-page";
};

/** Warnings for a page that conceals most of its text; see `dropConcealed`. */
export const HIDDEN = {
  dropped: "The page hides most of its text with CSS; the hidden text was removed.",
  kept: "The page hides nearly all of its text with CSS.",
} as const;

const warnOfFrames = (frames: number): string =>
  `The page is made of frames: its text is in ${frames === 1 ? "another page, which is listed as a link" : `${frames} other pages, which are listed as links`}.`;

/**
 * Reduces a page to its content in place; the document must not be used for anything else
 * afterwards. Main content is not searched inside elements that `includeTags` chose.
 */
export function selectContent(document: Document, options: ContentOptions): Content {
  options.onParsed?.(document);
  const base = resolveBaseUrl(document, options.url);
  const removals: RemovedElement[] = [];
  const warnings: string[] = [];
  for (const name of getElementIndex(document).unclosed)
    warnings.push(`<${name}> has no end tag; it was closed before the next tag.`);
  const hints = readPageHints(document);
  const { frames } = prepareDocument(document);
  if (frames > 0) warnings.push(warnOfFrames(frames));
  options.onPrepared?.(document);

  let root = document;
  let chosen = false;
  if (options.includeTags.length > 0) {
    const included = includeElements(document, options.includeTags);
    warnings.push(...included.warnings);
    // Each invalid selector yields a warning. If all are invalid, nothing was chosen.
    chosen = included.warnings.length < options.includeTags.length;
    if (chosen) root = included.root;
    if (chosen && root.children.length === 0)
      warnings.push("includeTags: no element of the page matches, so the content is empty.");
  }
  removeNonContent(root);
  if (options.excludeTags.length > 0) {
    const hadText = hasText(root);
    const excluded = excludeElements(root, options.excludeTags);
    removals.push(...excluded.removals);
    warnings.push(...excluded.warnings);
    if (hadText && !hasText(root))
      warnings.push(
        "excludeTags: the selectors match all text of the page, so the content is empty.",
      );
  }
  options.onSelected?.(root, base);
  const concealed = removeConcealed(root, {
    isStrict: options.dropConcealed,
    // The main content has no dialogs; a model is shown only what a reader sees.
    keepsDialogs: !options.onlyMainContent && options.dropConcealed !== true,
  });
  removals.push(...concealed.removals);
  if (concealed.hidden !== "none") warnings.push(HIDDEN[concealed.hidden]);

  // A frameset consists only of its frame links, which the finder would mistake for a menu.
  if (options.onlyMainContent && !chosen && frames === 0) {
    const hadContent = hasText(root);
    const found = options.findMainContent(root, { url: options.url, hints });
    if (hasText(root)) removals.push(...found.removals);
    else if (hadContent) {
      const whole = selectContent(options.parseAgain(), {
        ...options,
        onlyMainContent: false,
        onPrepared: undefined,
        onSelected: undefined,
      });
      return { ...whole, fallback: "whole-page" };
    }
  }
  rewriteContent(root, base);
  return { root, base, removals, warnings };
}
