// Session ids and tracking parameters in URLs: parts that differ per visitor or link and do not
// change the page. Pure.

/** Names that frameworks use for a session in a URL; values such as `session=12` are excluded. */
const SESSION_NAME =
  /^(?:php_?sess(?:ion)?_?id|j_?session_?id|asp\.?net_sessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid|sid|s_?id|sess|session|session_?id|sessid|sessionkey|session_?key|visitor_?id|jsid|phpsid|viewstate_?id)$/i;
const TRACKING_NAME =
  /^(?:utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|vero_\w+|oly_\w+|trk|trkid)$/i;
/** `;jsessionid=…` of servlets, and `(S(…))` of ASP.NET. */
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*|\/\([A-Z]\([^)/]*\)\)/gi;

/**
 * Returns whether a word is a generated id: alternating letters and digits, or a long hexadecimal
 * string.
 */
export function isMadeUp(text: string): boolean {
  if (text.length < 6 || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  if (/^[\da-f]{8,}$/i.test(text)) return true;
  return (text.match(/\d[a-z]|[a-z]\d/gi)?.length ?? 0) >= 3;
}

const isSessionValue = (value: string): boolean =>
  isMadeUp(value) || /^[\da-z_-]{20,}$/i.test(value) || /^\d{9,}$/.test(value);

export type BareUrl = {
  readonly url: string;
  /** Name of the removed part, such as `sid`. */
  readonly name: string;
};

/** Returns the URL without session ids and tracking parameters; undefined if it has none. */
export function stripSessionIds(url: URL): BareUrl | undefined {
  let name: string | undefined;
  const path = url.pathname.replaceAll(PATH_SESSION, (part) => {
    name = part.startsWith(";") ? part.slice(1, part.indexOf("=")) : "session";
    return "";
  });
  if (url.search.length < 2)
    return name === undefined ? undefined : { url: `${url.host}${path}`, name };
  const kept: string[] = [];
  for (const pair of url.search.slice(1).split("&")) {
    const [key = "", value = ""] = pair.split("=", 2);
    if (TRACKING_NAME.test(key) || (SESSION_NAME.test(key) && isSessionValue(value))) name = key;
    else kept.push(pair);
  }
  return name === undefined ? undefined : { url: `${url.host}${path}?${kept.join("&")}`, name };
}
