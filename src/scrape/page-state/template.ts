// A template of pages, learned from rendered pages and the data in their HTML: elements, texts as
// patterns, lists, and alternatives with the values that decide between them. It gives the page of
// other data, or nothing if anything about that data is new.
import { findList } from "./find-list.ts";
import {
  isPlainElement,
  isSpace,
  serializePlain,
  type PlainElement,
  type PlainNode,
} from "./plain-tree.ts";
import { listLeaves, SeenValues, toKey, type Leaves } from "./seen-values.ts";
import { TemplateFiller } from "./template-filler.ts";
import {
  createChoice,
  createPart,
  findUsage,
  MIN_FITS,
  readHtml,
  type Alternative,
  type Choice,
  type ElementTemplate,
  type HtmlTemplate,
  type ListTemplate,
  type NodeTemplate,
  type Part,
} from "./template-parts.ts";
import {
  buildPattern,
  fitPattern,
  type Commit,
  type Scopes,
  type TextPattern,
} from "./text-pattern.ts";
import { parseFragment, readPath, ValueIndex } from "./value-index.ts";

export type LearnOutcome = "learned" | "contradicted";

const MAX_ALTERNATIVES = 8;
const MAX_STEPS = 200_000;

/** Their values are shown, or decide what is shown. Others are dropped where they vary. */
const REQUIRED: ReadonlySet<string> = new Set(
  "href src alt title content datetime value colspan rowspan start reversed hidden class lang name property rel type open checked".split(
    " ",
  ),
);
const HIDES = /display|visibility|opacity|clip|position/i;

export class PageTemplate {
  readonly #learner: Learner;
  readonly #page: Part = createPart(0);
  #pages = 0;

  constructor(languages: readonly string[]) {
    this.#learner = new Learner(languages);
  }

  get isUsable(): boolean {
    return this.#pages >= MIN_FITS;
  }

  /** Rendered pages that it was learned from. */
  get pages(): number {
    return this.#pages;
  }

  /** Returns the HTML of the page with this data, or undefined if it is not certain. */
  fill(state: unknown, now: number): string | undefined {
    return new TemplateFiller(now).fillPart(this.#page, [state]);
  }

  /** Learns a rendered page, unless it differs from what `fill` gives. */
  learn(nodes: readonly PlainNode[], state: unknown, now: number): LearnOutcome {
    const filled = this.fill(state, now);
    if (filled !== undefined && toComparable(parseFilled(filled)) !== toComparable(nodes))
      return "contradicted";
    this.#learner.begin();
    this.#learner.learn(this.#page, nodes, [state], now);
    this.#pages += 1;
    return "learned";
  }
}

const parseFilled = (html: string): readonly PlainNode[] => parseFragment(html, true);

/** Normalizes a page for the comparison with a filled template. */
function toComparable(nodes: readonly PlainNode[]): string {
  const strip = (node: PlainNode): PlainNode =>
    typeof node === "string"
      ? node
      : {
          ...node,
          attributes: new Map(
            [...node.attributes]
              .filter(([name]) => REQUIRED.has(name))
              .toSorted(([one], [other]) => (one < other ? -1 : 1)),
          ),
          children: node.children.map(strip),
        };
  return serializePlain(nodes.map(strip));
}

/** Compares pages with the template and extends it. */
class Learner {
  readonly #languages: readonly string[];
  #now = 0;
  /** Comparisons left for a page: nested alternatives could need very many. */
  #stepsLeft = 0;

  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  begin(): void {
    this.#stepsLeft = MAX_STEPS;
  }

  learn(part: Part, nodes: readonly PlainNode[], scopes: Scopes, now: number): void {
    this.#now = now;
    const commits: Commit[] = [];
    this.#fitChoice(part.content, nodes, { part, scopes, owner: part.seen }, commits);
    for (const commit of commits) commit();
    part.usage = undefined;
    part.seen.add(readLeaves(part, scopes), now);
  }

  /** Returns how many new alternatives are needed. */
  #fitChoice(
    choice: Choice,
    nodes: readonly PlainNode[],
    place: PlaceOfFit,
    commits: Commit[],
  ): number {
    let best: { at: Alternative; cost: number; commits: Commit[] } | undefined;
    for (const at of choice.alternatives) {
      const own: Commit[] = [];
      const owner = at.seen ?? place.owner;
      const cost = this.#fitNodes(at.nodes, nodes, { ...place, owner }, own);
      if (cost === undefined || cost >= (best?.cost ?? Number.POSITIVE_INFINITY)) continue;
      best = { at, cost, commits: own };
      if (cost === 0) break;
    }
    if (best !== undefined) {
      const { at } = best;
      commits.push(...best.commits, () => {
        at.fits += 1;
        at.seen?.add(readLeaves(place.part, place.scopes), this.#now);
      });
      return best.cost;
    }
    commits.push(() => this.#addAlternative(choice, nodes, place));
    return 1;
  }

  #addAlternative(choice: Choice, nodes: readonly PlainNode[], place: PlaceOfFit): void {
    const { alternatives } = choice;
    if (alternatives.length >= MAX_ALTERNATIVES) {
      choice.isLost = true;
      return;
    }
    const { part, scopes, owner } = place;
    const indexes = scopes.map((scope, level) => new ValueIndex(scope, level, this.#languages));
    const isOwnEntry = part.level > 0 && choice === part.content;
    const built = this.#buildNodes(nodes, indexes, scopes, isOwnEntry);
    const added: Alternative = { nodes: built, fits: 1 };
    part.usage = undefined;
    const empty = alternatives.findIndex((each) => isEmptyList(each, added, owner));
    if (empty >= 0) {
      // The earlier page had an empty list, so the new alternative covers it.
      added.fits += alternatives.splice(empty, 1)[0]?.fits ?? 0;
    }
    const [first] = alternatives;
    if (first !== undefined) {
      first.seen ??= owner.copy();
      added.seen = new SeenValues();
      added.seen.add(readLeaves(part, scopes), this.#now);
    }
    alternatives.push(added);
  }

  #fitNodes(
    templates: readonly NodeTemplate[],
    nodes: readonly PlainNode[],
    place: PlaceOfFit,
    commits: Commit[],
  ): number | undefined {
    let at = 0;
    let cost = 0;
    for (const template of templates) {
      if (template.kind === "list") {
        const end = this.#fitList(template, nodes, at, place, commits);
        if (end === undefined) return undefined;
        at = end;
        continue;
      }
      const node = nodes[at];
      if (node === undefined) return undefined;
      if (template.kind === "text") {
        if (typeof node !== "string" || !fitPattern(template.pattern, node, place.scopes, commits))
          return undefined;
      } else {
        const own =
          typeof node === "string" ? undefined : this.#fitElement(template, node, place, commits);
        if (own === undefined) return undefined;
        cost += own;
      }
      at += 1;
    }
    return at === nodes.length ? cost : undefined;
  }

  /** Returns the position behind the entries. */
  #fitList(
    { level, path, entries }: ListTemplate,
    nodes: readonly PlainNode[],
    from: number,
    { scopes }: PlaceOfFit,
    commits: Commit[],
  ): number | undefined {
    const items = readPath(scopes[level], path);
    if (!Array.isArray(items)) return undefined;
    let at = from;
    for (const [entry, item] of (items as unknown[]).entries()) {
      const gap = nodes[at];
      if (entry > 0 && gap !== undefined && isSpace(gap)) at += 1;
      const element = nodes[at];
      if (element === undefined || !isPlainElement(element)) return undefined;
      commits.push(() => this.learn(entries, [element], [...scopes, item], this.#now));
      at += 1;
    }
    return at;
  }

  #fitElement(
    template: ElementTemplate,
    node: PlainElement,
    place: PlaceOfFit,
    commits: Commit[],
  ): number | undefined {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0 || template.name !== node.name) return undefined;
    const { scopes } = place;
    for (const name of new Set([...template.attributes.keys(), ...node.attributes.keys()])) {
      if (template.ignored.has(name)) continue;
      const pattern = template.attributes.get(name);
      const value = node.attributes.get(name);
      const isFitting =
        pattern !== undefined && value !== undefined && fitPattern(pattern, value, scopes, commits);
      if (isFitting) continue;
      if (REQUIRED.has(name) || (name === "style" && hides(pattern, value))) return undefined;
      commits.push(() => template.ignored.add(name));
    }
    const { html } = template;
    if (html === undefined) return this.#fitChoice(template.content, node.children, place, commits);
    const shown = serializePlain(node.children);
    const left = html.sources.filter((source) => readHtml(source, scopes) === shown);
    if (left.length < html.sources.length) commits.push(() => void (html.sources = left));
    return left.length > 0 ? 0 : undefined;
  }

  #buildNodes(
    nodes: readonly PlainNode[],
    indexes: readonly ValueIndex[],
    scopes: Scopes,
    isOwnEntry = false,
  ): NodeTemplate[] {
    const built: NodeTemplate[] = [];
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      if (node === undefined) continue;
      if (typeof node === "string") {
        built.push({ kind: "text", pattern: buildPattern(node, indexes) });
        continue;
      }
      const list = findList(nodes, at, indexes, isOwnEntry);
      if (list === undefined) {
        built.push(this.#buildElement(node, indexes, scopes));
        continue;
      }
      const { level, path, items, elements, hasSpace } = list;
      const entries = createPart(scopes.length);
      for (const [entry, item] of items.entries()) {
        const element = elements[entry];
        if (element !== undefined) this.learn(entries, [element], [...scopes, item], this.#now);
      }
      built.push({ kind: "list", level, path, separator: hasSpace ? " " : "", entries });
      at = list.end - 1;
    }
    return built;
  }

  #buildElement(
    { name, attributes, children }: PlainElement,
    indexes: readonly ValueIndex[],
    scopes: Scopes,
  ): ElementTemplate {
    const patterns = new Map<string, TextPattern>();
    for (const [key, value] of attributes)
      patterns.set(key, REQUIRED.has(key) ? buildPattern(value, indexes) : [value]);
    const html = findHtml(children, indexes);
    const content = createChoice();
    if (html === undefined)
      content.alternatives.push({ nodes: this.#buildNodes(children, indexes, scopes), fits: 1 });
    return { kind: "element", name, attributes: patterns, ignored: new Set(), content, html };
  }
}

/** True if `empty` has no nodes because the list that `full` shows had no entries. */
function isEmptyList(empty: Alternative, full: Alternative, owner: SeenValues): boolean {
  const [list, ...others] = full.nodes;
  if (empty.nodes.length > 0 || others.length > 0 || list?.kind !== "list") return false;
  return (empty.seen ?? owner).isAlways(toKey([...list.path, "length"]), "zero");
}

type PlaceOfFit = {
  readonly part: Part;
  readonly scopes: Scopes;
  /** Values seen with what encloses the place. */
  readonly owner: SeenValues;
};

const readLeaves = (part: Part, scopes: Scopes): Leaves =>
  listLeaves(scopes[part.level], findUsage(part).lists);

const hides = (pattern: TextPattern | undefined, value: string | undefined): boolean =>
  HIDES.test(`${pattern?.map(String).join("") ?? ""} ${value ?? ""}`);

function findHtml(
  children: readonly PlainNode[],
  indexes: readonly ValueIndex[],
): HtmlTemplate | undefined {
  if (!indexes.some(({ hasHtml }) => hasHtml) || !children.some(isPlainElement)) return undefined;
  const html = serializePlain(children);
  const sources = indexes.flatMap((index) =>
    index.findHtml(html).map((path) => ({ level: index.level, path })),
  );
  return sources.length === 0 ? undefined : { sources };
}
