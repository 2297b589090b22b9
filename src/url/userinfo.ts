import { findUrlFault, resolveUrl } from "../contract/request/url.ts";

/** Whether the URL carries a user name or a password (`https://name:secret@host/`). */
export function hasUserinfo(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

/** The same URL without user name and password; safe to log, store and show. */
export function withoutUserinfo(url: URL): URL {
  if (!hasUserinfo(url)) return url;
  const clean = new URL(url);
  clean.username = "";
  clean.password = "";
  return clean;
}

/**
 * The URL as its caller wrote it, `text`, less user name and password. `url` is what it means; where a spelling is too
 * odd to be cut with certainty, the plain form of the URL stands in.
 */
export function textWithoutUserinfo(text: string, url: URL): string {
  if (!hasUserinfo(url)) return text;
  const cut = text.replace(/^(\s*(?:https?:)?[/\\]*)[^/\\?#]*@/i, "$1");
  const clean = withoutUserinfo(url).href;
  return findUrlFault(cut) === undefined && resolveUrl(cut) === clean ? cut : clean;
}

/** The value of the Authorization header that the URL's user name and password mean (RFC 7617), or undefined. */
export function basicAuthorization(url: URL): string | undefined {
  if (!hasUserinfo(url)) return undefined;
  const text = `${percentDecode(url.username)}:${percentDecode(url.password)}`;
  return `Basic ${Buffer.from(text, "utf8").toString("base64")}`;
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text; // a lone percent sign stands for itself
    throw error;
  }
}
