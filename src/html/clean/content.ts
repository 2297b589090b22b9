// Which parts of a page survive, in the order of the wire contract (§4.1). The order matters: what the caller asked for is
// looked up in the original page; formulas and lazy images are saved before scripts go; the main content is found last, in
// what is left; addresses are rewritten once nothing moves any more.
import type { Document } from "domhandler";
import { notesOn } from "../evidence/page-notes.ts";
import { baseUrl } from "../links/base-url.ts";
import { rewriteContent } from "./clean.ts";
import { removeConcealed } from "./concealed.ts";
import { readPageHints, type PageHints } from "../evidence/page-hints.ts";
import { prepareDocument } from "./prepare.ts";
import type { Removed } from "./removal.ts";
import { excludeElements, includeElements, removeNonContent } from "../select/select.ts";
import { hasText } from "../parse/tree.ts";

/** Finds the main content and prunes everything else from the tree in place. */
export type MainContentFinder = (
  document: Document,
  page: { readonly url: string; readonly hints: PageHints },
) => { readonly removals: readonly Removed[] };

export type ContentOptions = {
  /** Address of the page, after redirects. */
  readonly url: string;
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  /** Also drop concealed text that is most of the page, where something else is left to read. */
  readonly dropConcealed?: boolean;
  readonly findMainContent: MainContentFinder;
  /** Told of the page before anything is removed from it. */
  readonly onPrepared?: ((document: Document) => void) | undefined;
  /** Told of what the tags of the caller leave, before main content is looked for, with what relative addresses mean. */
  readonly onSelected?: ((root: Document, base: string) => void) | undefined;
  /** The same page once more, for when nothing of it was found to be main content. */
  readonly parseAgain: () => Document;
};

export type Content = {
  readonly root: Document;
  /** What relative addresses of the page mean. */
  readonly base: string;
  readonly removals: readonly Removed[];
  readonly warnings: readonly string[];
  /** Set when main content came out empty and the whole page was used instead. */
  readonly fallback?: "whole-page";
};

/** What is said of a page that conceals most of its text; see `dropConcealed`. */
export const HIDDEN = {
  dropped:
    "The page hides most of its text from readers by its own style; what it hides was left out.",
  kept: "The page hides nearly all of its text from readers by its own style.",
} as const;

const warnOfFrames = (frames: number): string =>
  `The page is made of frames: its text is in ${frames === 1 ? "another page, which is listed as a link" : `${frames} other pages, which are listed as links`}.`;

/**
 * Reduces a page to its content, in place: the document is not to be used for anything else afterwards.
 * `includeTags` is taken at its word: main content is not searched inside what the caller chose.
 */
export function selectContent(document: Document, options: ContentOptions): Content {
  const base = baseUrl(document, options.url);
  const removals: Removed[] = [];
  const warnings: string[] = [];
  for (const name of notesOn(document).unclosed)
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
    // Each invalid selector is a warning; where none is valid nothing was chosen.
    chosen = included.warnings.length < options.includeTags.length;
    if (chosen) root = included.root;
    if (chosen && root.children.length === 0)
      warnings.push("includeTags: no element of the page matches, so the content is empty.");
  }
  removeNonContent(root);
  if (options.excludeTags.length > 0) {
    const excluded = excludeElements(root, options.excludeTags);
    removals.push(...excluded.removals);
    warnings.push(...excluded.warnings);
  }
  options.onSelected?.(root, base);
  const concealed = removeConcealed(root, options.dropConcealed);
  removals.push(...concealed.removals);
  if (concealed.hidden !== "none") warnings.push(HIDDEN[concealed.hidden]);

  // What leads to the frames is all there is of a frameset, and would look like a menu.
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
