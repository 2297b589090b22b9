// Prepares a URL for the browser: address, headers and credentials.
import { RequestError } from "../errors.ts";
import { buildBasicAuthorization, stripUserinfo } from "../url/userinfo.ts";
import { checkHeaders } from "./http-headers.ts";

export type BrowserAddress = {
  readonly url: URL;
  /** Lowercase names; for requests to the origin of `url` only. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's own user agent. */
  readonly userAgent: string | undefined;
  readonly warnings: string[];
};

/**
 * Turns a user name and password in the URL into Basic authorization. Throws BAD_REQUEST unless it
 * is an http or https URL.
 */
export function readAddress(given: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): BrowserAddress {
  const url = URL.parse(given.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new RequestError("BAD_REQUEST", "The URL is not an http or https URL.");
  const { headers, warnings } = checkHeaders(given.headers);
  const { "user-agent": userAgent, ...others } = headers;
  const authorization = buildBasicAuthorization(url);
  return {
    url: stripUserinfo(url),
    headers: authorization === undefined ? others : { authorization, ...others },
    userAgent,
    warnings,
  };
}
