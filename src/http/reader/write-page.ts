// A page as text for readers: front matter, then the content.
import type { Document } from "../../contract/page/document.ts";
import { writeFrontMatter } from "../../formats/markdown/front-matter.ts";
import { takeTokens, countTokens } from "../../ranking/model-tokens.ts";
import { escapeXml } from "../../runtime/escape-xml.ts";

const readText = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
};

export type Page = {
  readonly title: string | undefined;
  readonly url: string;
  /** The date of publication or change that the page states. */
  readonly date: string | undefined;
  readonly warning: string | undefined;
  readonly content: string;
  readonly links: readonly string[] | undefined;
  readonly images: readonly string[] | undefined;
};

/** `failed` lists frames that could not be read. */
export function toPage(
  document: Document,
  content: string,
  url: string,
  failed: readonly string[] = [],
): Page {
  const { metadata, links, images } = document;
  const unread = failed.length === 0 ? "" : `Frames that could not be read: ${failed.join(", ")}`;
  const warning = [readText(document.warning) ?? "", unread].filter((text) => text !== "");
  return {
    title: readText(metadata.title),
    url: readText(metadata.url) ?? url,
    date: readText(metadata["publishedTime"]) ?? readText(metadata["modifiedTime"]),
    warning: readText(warning.join(" ")),
    content,
    links: links?.map(String),
    images: images?.map(String),
  };
}

/** Puts the content of frames after that of the page, each below its URL. */
export function joinFrames(
  content: string,
  frames: readonly { readonly url: string; readonly content: string }[],
  form: string,
): string {
  const parts = frames.map((frame) =>
    form === "html"
      ? `<section data-frame="${escapeXml(frame.url)}">${frame.content}</section>`
      : `Frame: ${form === "text" ? frame.url : `<${frame.url}>`}\n\n${frame.content}`,
  );
  return [content.trim(), ...parts].join("\n\n");
}

/** Limits the content to this many tokens, and returns the total when it was cut. */
export function limitTokens(
  content: string,
  max: number | undefined,
): { readonly content: string; readonly totalTokens: number | undefined } {
  if (max === undefined) return { content, totalTokens: undefined };
  const { text, next } = takeTokens(content, max);
  return next === undefined
    ? { content, totalTokens: undefined }
    : { content: text, totalTokens: countTokens(content) };
}

export function writePage(page: Page, totalTokens: number | undefined): string {
  const { title, url, date, warning, content, links, images } = page;
  const formatList = (name: string, items: readonly string[] | undefined): string =>
    items === undefined || items.length === 0
      ? ""
      : `\n\n${name}:\n${items.map((item) => `- <${item}>`).join("\n")}`;
  const front = writeFrontMatter({ title, url, date, warning, cutOfTokens: totalTokens });
  return `${front}\n${content.trim()}${formatList("Links", links)}${formatList("Images", images)}\n`;
}
