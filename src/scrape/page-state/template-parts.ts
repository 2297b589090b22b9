// The parts of a template, and what they use of the data of the page.
import { serializePlain } from "./plain-tree.ts";
import { toKey, SeenValues, type Usage } from "./seen-values.ts";
import { collectUsed, type Scopes, type TextPattern } from "./text-pattern.ts";
import { parseFragment, readPath, type Path, type Source } from "./value-index.ts";

export type ElementTemplate = {
  readonly kind: "element";
  readonly name: string;
  readonly attributes: Map<string, TextPattern>;
  readonly ignored: Set<string>;
  readonly content: Choice;
  /** The content is HTML from the data. */
  readonly html?: HtmlTemplate | undefined;
};
export type HtmlTemplate = { sources: readonly { readonly level: number; readonly path: Path }[] };
export type TextTemplate = { readonly kind: "text"; readonly pattern: TextPattern };
export type ListTemplate = {
  readonly kind: "list";
  readonly level: number;
  readonly path: Path;
  readonly separator: string;
  readonly entries: Part;
};
export type NodeTemplate = ElementTemplate | TextTemplate | ListTemplate;

/** The page, or all entries of a list: what has data of its own. */
export type Part = {
  readonly level: number;
  readonly seen: SeenValues;
  readonly content: Choice;
  usage?: Usage | undefined;
};

export type Alternative = {
  readonly nodes: readonly NodeTemplate[];
  /** Undefined while there is one alternative: what holds for what encloses it. */
  seen?: SeenValues | undefined;
  fits: number;
};
/** Content of an element, a page or an entry: one of several sequences of nodes. */
export type Choice = { readonly alternatives: Alternative[]; isLost: boolean };

/** An alternative is believed once it explained a page that it was not made from. */
export const MIN_FITS = 2;
export const createPart = (level: number): Part => ({
  level,
  seen: new SeenValues(),
  content: createChoice(),
});
export const createChoice = (): Choice => ({ alternatives: [], isLost: false });

/** Undefined if the value has elements that scripts may replace. */
export function readHtml(
  { level, path }: HtmlTemplate["sources"][number],
  scopes: Scopes,
): string | undefined {
  const value = readPath(scopes[level], path);
  if (
    typeof value !== "string" ||
    /<(?:script|style|template|noscript|iframe|[a-z]+-)/i.test(value)
  )
    return undefined;
  return serializePlain(parseFragment(value));
}

/** Finds what a part uses of its own data. */
export function findUsage(part: Part): Usage {
  if (part.usage !== undefined) return part.usage;
  const lists = new Set<string>();
  const used: Source[] = [];
  const visit = ({ alternatives }: Choice): void => {
    for (const template of alternatives.flatMap(({ nodes }) => nodes)) {
      if (template.kind === "text") collectUsed(template.pattern, used);
      else if (template.kind === "list") {
        if (template.level === part.level) lists.add(toKey(template.path));
        visit(template.entries.content);
      } else {
        for (const pattern of template.attributes.values()) collectUsed(pattern, used);
        for (const { level, path } of template.html?.sources ?? [])
          used.push({ level, path, form: "html" });
        visit(template.content);
      }
    }
  };
  visit(part.content);
  const shown = new Set(
    used.filter(({ level }) => level === part.level).map(({ path }) => toKey(path)),
  );
  part.usage = { lists, shown };
  return part.usage;
}
