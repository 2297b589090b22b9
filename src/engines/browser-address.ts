// What a browser is told before it opens a URL: where to, with which headers, and as whom.
import { RequestError } from "../errors.ts";
import { basicAuthorization, withoutUserinfo } from "../url/userinfo.ts";
import { checkHeaders } from "./http-headers.ts";

export type BrowserAddress = {
  readonly url: URL;
  /** Names in lower case; for requests to the origin of `url` only. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's own. */
  readonly userAgent: string | undefined;
  readonly warnings: string[];
};

/** A user name and password in the URL become Basic authorization. Throws BAD_REQUEST for what is no http or https URL. */
export function readAddress(given: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): BrowserAddress {
  const url = URL.parse(given.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new RequestError("BAD_REQUEST", "The URL is not an http or https URL.");
  const { headers, warnings } = checkHeaders(given.headers);
  const { "user-agent": userAgent, ...others } = headers;
  const authorization = basicAuthorization(url);
  return {
    url: withoutUserinfo(url),
    headers: authorization === undefined ? others : { authorization, ...others },
    userAgent,
    warnings,
  };
}
