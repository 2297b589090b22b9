// Cookies within one redirect chain (RFC 6265). Nothing outlives the fetch.
import { getPublicSuffix } from "tldts";
import { parseAddress } from "../url/address.ts";

type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
};

const MAX_COOKIES = 180;
const MAX_COOKIE_LENGTH = 4_096;

/** A jar for one fetch: `store` what a response sets, ask `headerFor` the next request. Bounded in number and size. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  get isEmpty(): boolean {
    return this.#cookies.size === 0;
  }

  /** Takes in one Set-Cookie value that came from `url`; what the RFC tells to ignore is ignored. */
  store(url: URL, setCookie: string, now: number): void {
    if (setCookie.length > MAX_COOKIE_LENGTH) return;
    const [pair = "", ...attributes] = setCookie.split(";");
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = pair.slice(equals + 1).trim();
    if (equals < 1 || name === "" || !isCookieText(name + value)) return;
    const read = readAttributes(attributes);
    const domain = read.get("domain")?.replace(/^\./, "").toLowerCase() || url.hostname;
    const hostOnly = domain === url.hostname && (!read.get("domain") || isAddress(domain));
    if (!hostOnly && !mayCover(domain, url.hostname)) return;
    const secure = read.has("secure");
    if (secure && url.protocol !== "https:") return;
    const givenPath = read.get("path") ?? "";
    const path = givenPath.startsWith("/") ? givenPath : defaultPath(url.pathname);
    if (name.startsWith("__Secure-") && !secure) return;
    if (name.startsWith("__Host-") && !(secure && hostOnly && path === "/")) return;
    const key = `${name}\n${domain}\n${path}`;
    this.#cookies.delete(key);
    if (isExpired(read, now)) return;
    this.#cookies.set(key, { name, value, domain, hostOnly, path, secure });
    const [oldest] = this.#cookies.keys();
    if (this.#cookies.size > MAX_COOKIES && oldest !== undefined) this.#cookies.delete(oldest);
  }

  /** The Cookie header for a request to `url`: the caller's own cookies first, unless the site has set them anew. */
  headerFor(url: URL, own: string | undefined): string | undefined {
    if (this.#cookies.size === 0) return own;
    const fitting = [...this.#cookies.values()]
      .filter((cookie) => fits(cookie, url))
      .toSorted((one, other) => other.path.length - one.path.length);
    const names = new Set(fitting.map(({ name }) => name));
    const kept = (own ?? "")
      .split(";")
      .map((pair) => pair.trim())
      .filter((pair) => pair !== "" && !names.has(pair.slice(0, pair.indexOf("=")).trim()));
    const pairs = [...kept, ...fitting.map(({ name, value }) => `${name}=${value}`)];
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }
}

function readAttributes(attributes: readonly string[]): Map<string, string> {
  const read = new Map<string, string>();
  for (const attribute of attributes) {
    const equals = attribute.indexOf("=");
    const name = (equals === -1 ? attribute : attribute.slice(0, equals)).trim().toLowerCase();
    read.set(name, equals === -1 ? "" : attribute.slice(equals + 1).trim());
  }
  return read;
}

function isExpired(attributes: Map<string, string>, now: number): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = Date.parse(attributes.get("expires")?.replaceAll("-", " ") ?? "");
  return !Number.isNaN(expires) && expires <= now;
}

/** RFC 6265 section 5.1.3 and 5.3: a suffix of the host that people cannot register under (public suffix list). */
function mayCover(domain: string, hostname: string): boolean {
  if (isAddress(hostname)) return false;
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return false;
  return getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain || domain === hostname;
}

function fits(cookie: Cookie, url: URL): boolean {
  if (cookie.secure && url.protocol !== "https:") return false;
  const { hostname, pathname } = url;
  const covers = !cookie.hostOnly && hostname.endsWith(`.${cookie.domain}`);
  if (hostname !== cookie.domain && !covers) return false;
  if (pathname === cookie.path) return true;
  return (
    pathname.startsWith(cookie.path) &&
    (cookie.path.endsWith("/") || pathname[cookie.path.length] === "/")
  );
}

function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf("/");
  return slash <= 0 ? "/" : pathname.slice(0, slash);
}

const isAddress = (host: string): boolean => parseAddress(host) !== undefined;

/** Visible ASCII and above: what a header may carry. */
function isCookieText(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 127) return false;
  }
  return true;
}
