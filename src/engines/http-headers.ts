// The headers of an outgoing request: browser-like defaults, overridden by the caller's, validated
// against RFC 9110.
import { RequestError } from "../errors.ts";
import type { RedirectReach } from "../url/redirect.ts";

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Headers of the connection (RFC 9110 section 7.6.1), or reserved for us. */
const FORBIDDEN = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "http2-settings",
  "expect",
]);

/** Caller's headers that may be sent to other sites: they describe the request, not the caller. */
const IMPERSONAL = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "dnt",
  "pragma",
  "save-data",
  "sec-gpc",
  "upgrade-insecure-requests",
  "user-agent",
]);

const CREDENTIAL =
  /auth|token|key|secret|session|cookie|credential|passw|csrf|xsrf|signature|jwt|bearer|login|user(?!-agent)/;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Validates the caller's headers and lowercases their names. Throws BAD_REQUEST naming an invalid
 * header (RFC 9110 section 5.5: CR, LF, NUL, other controls). Connection headers are dropped with a
 * warning.
 */
export function checkHeaders(given: Headers): { headers: Headers; warnings: string[] } {
  const headers: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!TOKEN.test(name))
      throw createBadHeaderError(name, "its name may only hold letters, digits and -_.");
    if (typeof value !== "string") throw createBadHeaderError(name, "its value must be text");
    if (!isFieldValue(value))
      throw createBadHeaderError(name, "its value may not hold line breaks or control characters");
    const lower = name.toLowerCase();
    if (FORBIDDEN.has(lower) || lower.startsWith("proxy-")) dropped.push(name);
    else headers[lower] = toLatin1(value.trim());
  }
  if (dropped.length === 0) return { headers, warnings: [] };
  const text =
    dropped.length === 1
      ? `The header ${dropped[0]} belongs to the connection and was not sent.`
      : `The headers ${dropped.join(", ")} belong to the connection and were not sent.`;
  return { headers, warnings: [text] };
}

/** Tab, space, visible ASCII and everything above; no other control character. */
function isFieldValue(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if ((code < 32 && code !== 9) || code === 127) return false;
  }
  return true;
}

/** Characters above U+00FF are sent as their UTF-8 bytes. */
const toLatin1 = (value: string): string =>
  /[^\0-\u00FF]/.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;

function createBadHeaderError(name: string, why: string): RequestError {
  const shown = JSON.stringify(name.slice(0, 100));
  const message = `The header ${shown} cannot be sent: ${why}.`;
  return new RequestError("BAD_REQUEST", message, {
    details: [{ code: "custom", path: ["headers", name.slice(0, 100)], message }],
  });
}

/** The default headers. The User-Agent is honest: who we are and where to complain. */
export function buildDefaultHeaders(userAgent: string, languages: readonly string[]): Headers {
  return {
    "user-agent": userAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": toAcceptLanguage(languages),
    "accept-encoding": "gzip, deflate, br, zstd",
    "upgrade-insecure-requests": "1",
  };
}

/**
 * "de-AT", "en" -> "de-AT,de;q=0.9,en;q=0.8" (RFC 9110 section 12.5.4); invalid language tags are
 * left out.
 */
export function toAcceptLanguage(languages: readonly string[]): string {
  const ranges: string[] = [];
  for (const language of languages) {
    const tag = language.trim();
    if (!/^(?:[a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)$/i.test(tag)) continue;
    for (const range of [tag, tag.split("-")[0] ?? tag])
      if (!ranges.some((known) => known.toLowerCase() === range.toLowerCase())) ranges.push(range);
  }
  if (ranges.length === 0) return "en-US,en;q=0.9";
  return ranges
    .slice(0, 20)
    .map((range, index) => (index === 0 ? range : `${range};q=${Math.max(1, 10 - index) / 10}`))
    .join(",");
}

/**
 * The caller's headers that a redirect forwards: all within the origin; all but credentials within
 * the site; only impersonal ones to another site.
 */
export function filterHeadersForRedirect(headers: Headers, reach: RedirectReach): Headers {
  if (reach === "sameOrigin") return headers;
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      reach === "sameSite" ? !CREDENTIAL.test(name) : IMPERSONAL.has(name),
    ),
  );
}
