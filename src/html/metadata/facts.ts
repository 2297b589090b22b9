// Facts for the metadata rules, collected in one walk (collect.ts). Every list is bounded, so
// hostile pages stay cheap.

import type { Place } from "./marks.ts";

export type MetaTag = { readonly key: string; readonly content: string };

/** A candidate for an author, a date or a headline. `position` counts elements from the start. */
export type Candidate = {
  readonly value: string;
  /** Source of the candidate: an itemprop, a rel, a class, the tag. */
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
  /** Headings of levels 1 to 3; the mark is the tag. */
  readonly headings: Candidate[];
  readonly authors: Candidate[];
  readonly times: Candidate[];
  readonly dates: Candidate[];
  /** Texts with digits that may contain a date, as a last resort. */
  readonly numberTexts: Candidate[];
  /**
   * Short texts that start like a byline ("By …"). A name in the next element is joined to its
   * "By".
   */
  readonly bylineTexts: Candidate[];
  /** The first characters of running text, for language detection. */
  readonly sample: string;
};

/** Key of `<meta http-equiv="content-language">`; no page can use it as a name. */
export const CONTENT_LANGUAGE = "\0content-language";
