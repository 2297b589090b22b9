import { findUrlFault, resolveUrl } from "../contract/request/url.ts";

/** True if the URL has a user name or a password (`https://name:secret@host/`). */
export function hasUserinfo(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

/** Returns the URL without user name and password; safe to log, store and show. */
export function stripUserinfo(url: URL): URL {
  if (!hasUserinfo(url)) return url;
  const clean = new URL(url);
  clean.username = "";
  clean.password = "";
  return clean;
}

/**
 * Returns the caller's spelling `text` without user name and password. `url` is its parsed form,
 * which is used if the spelling cannot be cut safely.
 */
export function removeUserinfoFromText(text: string, url: URL): string {
  if (!hasUserinfo(url)) return text;
  const cut = text.replace(/^(\s*(?:https?:)?[/\\]*)[^/\\?#]*@/i, "$1");
  const clean = stripUserinfo(url).href;
  return findUrlFault(cut) === undefined && resolveUrl(cut) === clean ? cut : clean;
}

/** Returns a URL as the caller wrote it, without user name and password; undefined if invalid. */
export function removeLogin(written: string): string | undefined {
  if (findUrlFault(written) !== undefined) return undefined;
  return removeUserinfoFromText(written, new URL(resolveUrl(written)));
}

/** Returns the URLs without logins and without invalid ones. */
export const removeLogins = (written: readonly string[]): string[] =>
  written.flatMap((url) => removeLogin(url) ?? []);

/**
 * Returns the Authorization header value for the URL's user name and password (RFC 7617), or
 * undefined.
 */
export function buildBasicAuthorization(url: URL): string | undefined {
  if (!hasUserinfo(url)) return undefined;
  const text = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  return `Basic ${Buffer.from(text, "utf8").toString("base64")}`;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text; // a lone percent sign is literal
    throw error;
  }
}
