// Content of the frames of a page, read as pages of their own. A browser puts frames of the same
// site into the page; these are not read again.
import type { Document } from "../../contract/page/document.ts";
import { resolveUrl } from "../../html/links/base-url.ts";

export type Frame = { readonly url: string; readonly content: string };

const MAX_FRAMES = 5;
/** Characters by which content is recognized as part of the page. */
const PROBE_CHARACTERS = 200;

/**
 * Reads frames in the order of the page, each once. `readFrame` returns the content of a page;
 * frames that cannot be read are named in `failed`.
 */
export async function readFrames(
  { attributes }: Document,
  page: { readonly url: string; readonly content: string },
  readFrame: (url: string) => Promise<string>,
): Promise<{ readonly frames: readonly Frame[]; readonly failed: readonly string[] }> {
  const urls = listFrameUrls(attributes ?? [], page.url);
  const settled = await Promise.allSettled(urls.map((url) => readFrame(url)));
  const frames: Frame[] = [];
  const failed: string[] = [];
  for (const [at, result] of settled.entries()) {
    const url = urls[at] ?? "";
    if (result.status === "rejected") failed.push(url);
    else if (isNew(result.value, page.content)) frames.push({ url, content: result.value.trim() });
  }
  return { frames, failed };
}

function listFrameUrls(attributes: NonNullable<Document["attributes"]>, base: string): string[] {
  const urls = new Set<string>();
  for (const { values } of attributes)
    for (const value of values) {
      const url = resolveUrl(value, base);
      if (url !== undefined && /^https?:\/\//i.test(url) && url !== base) urls.add(url);
    }
  return [...urls].slice(0, MAX_FRAMES);
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function isNew(content: string, page: string): boolean {
  const text = fold(content);
  return text !== "" && !fold(page).includes(text.slice(0, PROBE_CHARACTERS));
}
