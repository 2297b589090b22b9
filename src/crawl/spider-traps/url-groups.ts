// Groups similar URLs of a crawl: those that differ by a number, a generated id, or a name in a
// very large directory. Counts per group stay bounded, however a site generates URLs. Pure except
// for its memory.
import { isMadeUp } from "./session-ids.ts";

export type UrlGroup = {
  /**
   * Host, path and parameter names, with `#` for numbers and `*` for parts with very many values.
   */
  readonly name: string;
  /** Groups that filters generate from each other, or months and their days. */
  readonly family: string;
  /** Its URLs differ by numbers only. */
  readonly isNumeric: boolean;
  /** Its URLs name only days or months. */
  readonly isDate: boolean;
  readonly parameters: number;
};

/** Children of a directory from which on all are merged. */
const MAX_CHILDREN = 100;
const DEEP_LEVEL = 3;
const MAX_NODES = 50_000;
const MAX_NAMES = 5_000;

const DATE_END = /(?:^|\/)(?:19|20|21)\d\d[/-]\d{1,2}(?:[/-]\d{1,2})?\/?(?:\.\w{1,5})?$/;
const DATE_NAME = /^(?:date|day|month|mon|week|year|cal|calendar|from|start|m|y|d)$/i;

type Node = Map<string, Node>;

export class UrlGroups {
  readonly #hosts = new Map<string, Node>();
  #nodes = 0;
  /** By host, the directory levels from which on names are merged. */
  readonly #deep = new Map<string, number>();
  /** The levels at which a path part occurs, as bits. */
  readonly #levels = new Map<string, number>();

  /** Returns the group of a URL and records it in its directory. */
  find(url: URL): UrlGroup {
    const segments = url.pathname.split("/").slice(1);
    const pairs = url.search.length < 2 ? [] : url.search.slice(1).split("&");
    const path = pairs.some((pair) => isMadeUp(pair.slice(pair.indexOf("=") + 1)))
      ? "/… (made-up parameters)"
      : this.#isRepeating(segments)
        ? "/… (parts that occur at several levels)"
        : this.#groupPath(url.host, segments);
    const names = [...new Set(pairs.map((pair) => pair.split("=", 1)[0] ?? ""))].toSorted();
    const query =
      names.length === 0
        ? ""
        : names.length > 2
          ? "?(three parameters or more)"
          : `?${names.join("&")}`;
    const isDate =
      names.length === 0
        ? DATE_END.test(url.pathname)
        : names.every((name) => DATE_NAME.test(name)) && /=\d/.test(url.search);
    const isNumeric =
      !isDate && !/[*…]/.test(path) && pairs.every((pair) => /^[^=]*=[\d.-]*$/.test(pair));
    return {
      name: `${url.host}${path}${query}`,
      family:
        isDate && names.length === 0
          ? `${url.host}${path.replace(/\/#.*/, "")} (dates)`
          : `${url.host}${path}${names.length > 1 ? "?…" : query}`,
      isNumeric,
      isDate,
      parameters: names.length,
    };
  }

  #groupPath(host: string, segments: readonly string[]): string {
    let node = this.#hosts.get(host);
    if (node === undefined) {
      if (this.#hosts.size >= MAX_CHILDREN * 10) return "/*";
      node = new Map();
      this.#hosts.set(host, node);
    }
    let path = "";
    for (const [level, segment] of segments.entries()) {
      if (segment.split(/[-_.]/).some(isMadeUp)) return `${path}/*`;
      const name = segment.replaceAll(/\d+/g, "#");
      let child: Node | undefined = node.get(name);
      if (child === undefined) {
        if (node.size >= MAX_CHILDREN || this.#nodes >= MAX_NODES) return `${path}/*`;
        child = new Map();
        node.set(name, child);
        this.#nodes += 1;
        if (level === DEEP_LEVEL) this.#deep.set(host, (this.#deep.get(host) ?? 0) + 1);
      }
      if (level === DEEP_LEVEL && (this.#deep.get(host) ?? 0) >= MAX_CHILDREN)
        return "/… (four parts or more)";
      // A full directory is one group, also for earlier URLs.
      if (node.size >= MAX_CHILDREN) return `${path}/*`;
      node = child;
      path += `/${name}`;
    }
    return path;
  }

  /** A path that repeats a part, or whose parts all occur at other levels too: circular links. */
  #isRepeating(segments: readonly string[]): boolean {
    const parts = segments.filter((segment) => segment !== "" && !/^\d+$/.test(segment));
    let elsewhere = 0;
    for (const [level, part] of parts.entries()) {
      const bit = 1 << Math.min(level, 30);
      const before = this.#levels.get(part) ?? 0;
      if ((before & ~bit) !== 0) elsewhere += 1;
      if ((before & bit) === 0 && (before !== 0 || this.#levels.size < MAX_NAMES))
        this.#levels.set(part, before | bit);
    }
    if (parts.length < 2) return false;
    if (new Set(parts).size < parts.length) return true;
    // Numbered parts, such as pages of a list, are not circular.
    return elsewhere === parts.length && !segments.some((segment) => /\d/.test(segment));
  }
}
