// The Link header (RFC 8288): `<https://example.com/2>; rel="next", </de/>; rel=alternate;
// hreflang=de`.

export type HeaderLink = {
  /** As written, relative to the page. */
  readonly target: string;
  readonly rel: string;
  readonly hreflang: string | undefined;
};

const MAX_CHARACTERS = 65_536;
const LINK = /<([^<>]*)>((?:[^<>",]|"[^"]*")*)/g;
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g;

/** Parses one or more Link headers, joined by commas. Skips entries that are not links. */
export function readLinkHeaders(value: string): HeaderLink[] {
  if (value === "") return [];
  return [...value.slice(0, MAX_CHARACTERS).matchAll(LINK)].map(([, target = "", rest = ""]) => {
    const parameters = new Map<string, string>();
    for (const [, name = "", quoted, token] of rest.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      if (!parameters.has(key)) parameters.set(key, quoted ?? token ?? "");
    }
    return { target, rel: parameters.get("rel") ?? "", hreflang: parameters.get("hreflang") };
  });
}
