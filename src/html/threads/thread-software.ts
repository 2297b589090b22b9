// Forum software that puts the posts of a thread into the same elements on every site.
import software from "./thread-software.json" with { type: "json" };

/** Where a post has its facts. Selectors are candidates, the best one first. */
export type PostMarkup = {
  readonly post: string;
  readonly author: readonly string[];
  readonly time: readonly string[];
  /** Elements inside that of the time which are not part of it. */
  readonly timeWithout?: string;
  readonly body: readonly string[];
  readonly votes?: readonly string[];
  /** Elements that only an accepted answer has. */
  readonly accepted?: readonly string[];
};

/** Markup of a forum software's posts. Selectors may name an attribute: `selector@attribute`. */
export type ThreadSoftware = PostMarkup & {
  readonly name: string;
  /** Pattern of the `<meta name=generator>` value. */
  readonly declared?: string;
  /** Places (place.ts) of which a page with posts has one. */
  readonly signs: readonly string[];
  /** The title of the thread; an `h1` if missing. */
  readonly title?: string;
  /** Short comments below a post. */
  readonly comments?: PostMarkup;
  /** Elements of a body that are quotes. */
  readonly quote?: string;
  /** Elements of a body that are not content. */
  readonly drop?: string;
};

export const THREAD_SOFTWARE: readonly ThreadSoftware[] = software;
