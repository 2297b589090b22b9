// Cookies within one redirect chain (RFC 6265). They are dropped after the fetch.
import { CookieJar as Jar, MemoryCookieStore } from "tough-cookie";

const MAX_COOKIES = 180;
const MAX_COOKIE_LENGTH = 4_096;
/** Control characters except tab, which a header cannot carry. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]/u;

type CookieId = { readonly domain: string; readonly path: string; readonly key: string };

/**
 * A cookie jar for one fetch, limited in number and size: `store` cookies of a response,
 * `buildHeader` the next request.
 */
export class CookieJar {
  readonly #memory = new MemoryCookieStore();
  readonly #jar = new Jar(this.#memory, { prefixSecurity: "silent" });
  /** Oldest first, for eviction. */
  readonly #ids = new Map<string, CookieId>();

  /** Stores one Set-Cookie value of a response from `url`; ignores invalid ones (RFC 6265). */
  store(url: URL, setCookie: string, now: number): void {
    if (setCookie.length > MAX_COOKIE_LENGTH || CONTROL_CHARACTER.test(setCookie)) return;
    const cookie = this.#jar.setCookieSync(setCookie, url.href, {
      ignoreError: true,
      now: new Date(now),
    });
    const { domain, path, key } = cookie ?? {};
    if (!domain || !path || key === undefined) return;
    const id = `${key}\n${domain}\n${path}`;
    this.#ids.delete(id);
    this.#ids.set(id, { domain, path, key });
    const [oldest] = this.#ids;
    if (this.#ids.size <= MAX_COOKIES || oldest === undefined) return;
    this.#ids.delete(oldest[0]);
    void this.#memory.removeCookie(oldest[1].domain, oldest[1].path, oldest[1].key);
  }

  /**
   * Returns the Cookie header for `url`: the caller's own cookies first, unless the site has
   * replaced them.
   */
  buildHeader(url: URL, own: string | undefined): string | undefined {
    if (this.#ids.size === 0) return own;
    const matching = this.#jar.getCookiesSync(url.href);
    const names = new Set(matching.map(({ key }) => key));
    const kept = (own ?? "")
      .split(";")
      .map((pair) => pair.trim())
      .filter((pair) => pair !== "" && !names.has(pair.slice(0, pair.indexOf("=")).trim()));
    const pairs = [...kept, ...matching.map((cookie) => cookie.cookieString())];
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }
}
