// Parses a query: words, "phrases", -exclusions, OR, and the operators site:, inurl:, allinurl:,
// intitle:, allintitle:, filetype: and ext:. A minus negates each of them.

export type Field = "any" | "title" | "url";

export type Term = {
  readonly text: string;
  /** Its words must be consecutive. */
  readonly isPhrase: boolean;
  readonly field: Field;
};

export type Site = {
  readonly host: string;
  /** The path from "/" on, if the query names more than a host. */
  readonly path: string | undefined;
};

export type Query = {
  /** At least one term of each group is required. */
  readonly groups: readonly (readonly Term[])[];
  readonly without: readonly Term[];
  /** One of them has to match; empty means all sites. */
  readonly sites: readonly Site[];
  readonly withoutSites: readonly Site[];
  /** File extensions without the dot. */
  readonly fileTypes: readonly string[];
  readonly withoutFileTypes: readonly string[];
  /** Operators without a meaning here. */
  readonly unknown: readonly string[];
};

const PIECE =
  /(-(?!-))?(?:(site|inurl|allinurl|intitle|allintitle|filetype|ext|related|imagesize|larger|cache|intext|allintext):\s*)?(?:"([^"]*)"?|“([^”]*)”?|(\S+))/giu;
const MAX_PIECES = 64;
const UNKNOWN = new Set(["related", "imagesize", "larger", "cache"]);

type Draft = {
  groups: Term[][];
  without: Term[];
  sites: Site[];
  withoutSites: Site[];
  fileTypes: string[];
  withoutFileTypes: string[];
  unknown: string[];
};

/** Parses a query; accepts any text. */
export function parseQuery(text: string): Query {
  const draft: Draft = {
    groups: [],
    without: [],
    sites: [],
    withoutSites: [],
    fileTypes: [],
    withoutFileTypes: [],
    unknown: [],
  };
  let joins = false;
  /** Applies to all plain words after allintitle: and allinurl:. */
  let field: Field = "any";
  let count = 0;
  for (const [whole, minus, operator, straight, curly, plain] of text.matchAll(PIECE)) {
    if (++count > MAX_PIECES) break;
    if (whole === "OR" || whole === "|") {
      joins = draft.groups.length > 0;
      continue;
    }
    if (whole === "AND" || whole === "&" || whole === "+" || whole === "-") continue;
    const quoted = straight ?? curly;
    const value = quoted ?? (plain ?? "").replace(/^\+(?=\w)/, "");
    const name = operator?.toLowerCase();
    if (name === "allintitle") field = "title";
    if (name === "allinurl") field = "url";
    if (!addFilter(draft, name, value, minus !== undefined)) {
      const term = { text: value, isPhrase: quoted !== undefined, field: findField(name) ?? field };
      if (minus !== undefined) draft.without.push(term);
      else if (joins) draft.groups.at(-1)?.push(term);
      else draft.groups.push([term]);
    }
    joins = false;
  }
  return draft;
}

function findField(operator: string | undefined): Field | undefined {
  if (operator === "intitle" || operator === "allintitle") return "title";
  if (operator === "inurl" || operator === "allinurl") return "url";
  return operator === undefined ? undefined : "any";
}

/** Handles operators that are not about words. */
function addFilter(draft: Draft, name: string | undefined, value: string, isNot: boolean): boolean {
  if (name === "site") {
    const site = toSite(value);
    if (site !== undefined) (isNot ? draft.withoutSites : draft.sites).push(site);
    return true;
  }
  if (name === "filetype" || name === "ext") {
    const ending = value.replace(/^\./, "").toLowerCase();
    if (/^[a-z0-9]{1,10}$/.test(ending))
      (isNot ? draft.withoutFileTypes : draft.fileTypes).push(ending);
    return true;
  }
  if (name === undefined || !UNKNOWN.has(name)) return false;
  draft.unknown.push(`${name}:`);
  return true;
}

/**
 * "example.com", ".example.com", "https://example.com/docs/": a host, optionally with a path
 * prefix.
 */
export function toSite(value: string): Site | undefined {
  const url = URL.parse(`http://${value.replace(/^[a-z]+:\/\//i, "").replace(/^\*?\./, "")}`);
  if (url === null || url.hostname === "") return undefined;
  const host = url.hostname.replace(/^www\./, "");
  return { host, path: url.pathname === "/" ? undefined : url.pathname };
}
