import { type HeadingShape } from "./conversion-state.ts";
export type MarkdownOptions = {
  /** Base for relative addresses. Without it they stay as written. */
  readonly base?: string | undefined;
  /** Address of the page itself. Links to it become plain text. */
  readonly page?: string | undefined;
  readonly removeBase64Images?: boolean;
  /** `reference` writes targets at the end; `text` keeps the text only, `none` not even that. */
  readonly links?: "inline" | "reference" | "text" | "none" | undefined;
  /** `alt` keeps the description only. */
  readonly images?: "all" | "alt" | "none" | undefined;
  /** Titles of links and images; on unless false. */
  readonly linkTitles?: boolean | undefined;
} & HeadingShape;
