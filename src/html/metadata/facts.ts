// What the rules look at. One walk gathers it (collect.ts); every list is bounded, so hostile pages stay cheap.

import type { Place } from "./marks.ts";

export type MetaTag = { readonly key: string; readonly content: string };

/** Something on the page that could be an author, a date or a headline. `position` counts elements from the start. */
export type Candidate = {
  readonly value: string;
  /** What marked it: an itemprop, a rel, a class, the tag. */
  readonly mark: string;
  readonly position: number;
  readonly place: Place;
};

export type PageFacts = {
  language: string | undefined;
  title: string | undefined;
  base: string | undefined;
  readonly metas: MetaTag[];
  readonly links: { readonly rel: string; readonly href: string }[];
  readonly jsonLd: string[];
  /** Headings of level one to three; the mark is the tag. */
  readonly headings: Candidate[];
  readonly authors: Candidate[];
  readonly times: Candidate[];
  readonly dates: Candidate[];
  /** Text with digits that may hold a date, for the last resort. */
  readonly numberTexts: Candidate[];
  /** Short texts that begin like a byline ("By …"); a name in the next element is joined to its "By". */
  readonly bylineTexts: Candidate[];
  /** The first characters of running text, for guessing the language. */
  readonly sample: string;
};

/** Key under which `<meta http-equiv="content-language">` is kept; no page can write it as a name. */
export const CONTENT_LANGUAGE = "\0content-language";
