// Fills lists of objects: with the records and tables of a page, the texts of a list, labels and
// their values.
import type { Leaf } from "../declared/finding.ts";
import { listTypeWords } from "../declared/rank-things.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { type Name, parseName, parseNameInContext, scoreSimilarity } from "../names/names.ts";
import { coerceScalar } from "../values/coerce.ts";
import { findLabelList } from "../visible/label-lists.ts";
import {
  isNutritionTable,
  listIngredientGroups,
  isIngredientsName,
} from "../visible/ingredients.ts";
import { dropPlayedMatches } from "../visible/upcoming-matches.ts";
import { findVisibleList } from "../visible/visible-lists.ts";
import { chooseRowGroup, isListNamed } from "../visible/choose-rows.ts";
import type { RowGroup } from "../visible/row-group.ts";
import { findNameCell } from "../visible/table-rows.ts";
import { listRowGroups, listSingleCards } from "../visible/visible-rows.ts";
import type { VisibleScope } from "../visible/visible-scope.ts";
import { fold, toVisibleLeaf } from "../visible/visible-value.ts";
import { OF_OTHER_PROPERTY, type Notes } from "./notes.ts";
import {
  areSplitRecords,
  findTitleOfMost,
  findTotals,
  isBreak,
  isSum,
  selectComplete,
} from "./row-checks.ts";
import type { Scope } from "./scope.ts";
import type { ValueContexts } from "./value-contexts.ts";

const MAX_ITEMS = 1_000;
/** Records of a list that other lists are searched for. */
const MAX_SUPPLEMENTED = 50;
const OF_OTHER_LIST = "the rows of the page belong to another list";
/** Characters of a text that is all of a list's object; longer ones have parts. */
const MAX_SINGLE = 60;

/** Fills one object or property of a scope. */
export type FillScope = {
  object(shape: Shape, scope: Scope, pointer: string): Record<string, unknown> | undefined;
  property(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown;
};

/** The list that has the rows of a group. */
type GroupOwner = { readonly pointer: string; readonly isNamed: boolean; readonly size: number };

export class ObjectLists {
  readonly #notes: Notes;
  readonly #contexts: ValueContexts;
  readonly #fill: FillScope;
  /** Fills without notes, to choose between lists. */
  readonly #createTrial: () => FillScope;
  readonly #owners = new Map<RowGroup, GroupOwner>();
  #rowGroups: readonly RowGroup[] | undefined;

  constructor(
    fill: FillScope,
    createTrial: () => FillScope,
    { notes, contexts }: { readonly notes: Notes; readonly contexts: ValueContexts },
  ) {
    this.#fill = fill;
    this.#createTrial = createTrial;
    this.#notes = notes;
    this.#contexts = contexts;
  }

  /** Objects of a name and a value: the labels of a list with their values. */
  ofLabels(
    shape: Shape,
    items: Shape,
    wanted: Name,
    visible: VisibleScope,
    pointer: string,
  ): unknown[] | undefined {
    const list = findLabelList(wanted, items, visible);
    if (list === undefined) return undefined;
    const { nameKey, valueKey } = list;
    const found: Record<string, unknown>[] = [];
    for (const { label, labelNode, node, value } of list.pairs.slice(0, shape.maxItems)) {
      const at = `${pointer}/${found.length}`;
      const leaves = [
        [nameKey, toVisibleLeaf(visible, labelNode, label, "label", label)],
        [valueKey, toVisibleLeaf(visible, node, value, "label", value)],
      ] as const;
      const object: Record<string, unknown> = {};
      for (const [key, leaf] of leaves) {
        const item = items.properties.get(key);
        const given =
          item === undefined
            ? undefined
            : coerceScalar(leaf.value, item, this.#contexts.of(parseName(key)));
        if (given === undefined) continue;
        object[key] = given;
        this.#notes.note(`${at}/${escape(key)}`, leaf, "high");
      }
      if (Object.keys(object).length === leaves.length) found.push(object);
      else this.#notes.forget(at);
    }
    return found.length === 0 ? undefined : found;
  }

  /** Objects of one text each: the texts of the list that the property or its description names. */
  ofSingles(
    shape: Shape,
    items: Shape,
    wanted: Name,
    { visible, typeWords }: Scope,
    pointer: string,
  ): unknown[] | undefined {
    const [[name, only] = []] = items.properties;
    if (visible === undefined || items.properties.size !== 1) return undefined;
    // "175 g butter" has more than a name.
    if (isIngredientsName(wanted.words)) return undefined;
    if (name === undefined || only?.kind !== "string") return undefined;
    const asked = parseName(name);
    const isColumn = visible.model.grids.some(({ headers }) =>
      headers.slice(1).some((header) => scoreSimilarity(asked, parseName(header)) >= 0.9),
    );
    if (isColumn) return undefined;
    const leaves = findVisibleList(wanted, visible, typeWords, parseName(shape.description));
    if (leaves.length < 2 || leaves.some(({ value }) => String(value).length > MAX_SINGLE))
      return undefined;
    // A dish over its description is a record with a title.
    const nodes = new Map(visible.model.nodes.map((node) => [node.ref, node]));
    const hasLines = ({ evidence: { ref = "" } }: Leaf): boolean => {
      const node = nodes.get(ref);
      return node !== undefined && visible.model.textOf(node).includes("\n");
    };
    if (leaves.some(hasLines)) return undefined;
    return leaves.slice(0, shape.maxItems).map((leaf, at) => {
      this.#notes.note(`${pointer}/${at}/${escape(name)}`, leaf, "medium");
      return { [name]: leaf.value };
    });
  }

  ofRows(
    shape: Shape,
    items: Shape,
    wanted: Name,
    visible: VisibleScope,
    pointer: string,
  ): unknown[] | undefined {
    this.#rowGroups ??= listRowGroups(visible.model);
    const isOfIngredients = isIngredientsName(wanted.words);
    const ingredients = isOfIngredients ? listIngredientGroups(visible.model) : [];
    const rowGroups = isOfIngredients
      ? this.#rowGroups.filter((group) => !isNutritionTable(group))
      : dropPlayedMatches(this.#rowGroups, wanted);
    const trial = this.#createTrial();
    const choose = (groups: readonly RowGroup[]): RowGroup | undefined =>
      chooseRowGroup(groups, items, wanted, (row, group) =>
        trial.object(items, this.#rowScope(row, items, wanted, group), ""),
      );
    const chosen =
      choose(ingredients) ?? choose(rowGroups) ?? choose(listSingleCards(visible.model));
    if (chosen === undefined) {
      this.#notes.reasons.set(
        pointer,
        "no table or list of the page has at least half of its fields",
      );
      return undefined;
    }
    const scopes = chosen.scopes.map((row, at) =>
      this.#rowScope(row, items, wanted, chosen.groups[at] ?? ""),
    );
    if (!this.#takeGroup(chosen, items, wanted, pointer)) {
      this.#notes.reasons.set(pointer, OF_OTHER_LIST);
      return undefined;
    }
    const list = this.fillAll(scopes, items, pointer, shape.maxItems);
    const title = list === undefined ? undefined : findTitleOfMost(list, items);
    if (title !== undefined) {
      this.#notes.forget(pointer);
      const titled = scopes.filter((row) => trial.object(items, row, "")?.[title] !== undefined);
      return this.fillAll(titled, items, pointer, shape.maxItems);
    }
    if (list !== undefined && this.#lacksOwnNames(list, items, pointer)) {
      this.#notes.forget(pointer);
      this.#notes.reasons.set(pointer, OF_OTHER_LIST);
      return undefined;
    }
    if (list !== undefined && areSplitRecords(list)) {
      this.#notes.forget(pointer);
      this.#notes.reasons.set(pointer, "each record takes two rows, which rules do not join");
      return undefined;
    }
    if (list !== undefined) this.#supplement(list, chosen, items, wanted, pointer);
    return list;
  }

  /**
   * True if what would name most rows is the value of another property: teams in a list of players.
   */
  #lacksOwnNames(list: readonly unknown[], { properties }: Shape, pointer: string): boolean {
    const [name] = [...properties].find(([, { kind }]) => kind === "string") ?? [];
    if (name === undefined) return false;
    const lacking = list.filter(
      (_, at) => this.#notes.reasons.get(`${pointer}/${at}/${escape(name)}`) === OF_OTHER_PROPERTY,
    );
    return lacking.length * 2 > list.length;
  }

  /**
   * Adds what other lists of the page say about records of the same names: the cards of plans have the
   * prices, a table has the features.
   */
  #supplement(
    list: readonly Record<string, unknown>[],
    chosen: RowGroup,
    items: Shape,
    wanted: Name,
    pointer: string,
  ): void {
    const key = [...items.properties.keys()].find((name) => parseName(name).concepts.has("name"));
    const shape = key === undefined ? undefined : items.properties.get(key);
    if (key === undefined || shape === undefined || list.length > MAX_SUPPLEMENTED) return;
    const names = list.map((row) => foldName(row[key]));
    if (names.includes("") || new Set(names).size < names.length || names.length < 2) return;
    const trial = this.#createTrial();
    for (const group of this.#rowGroups ?? []) {
      if (group === chosen || group.scopes.length !== names.length) continue;
      const byName = new Map(
        group.scopes.map((visible, at) => {
          const row = this.#rowScope(visible, items, wanted, group.groups[at] ?? "");
          return [foldName(trial.property(parseName(key), shape, row, "")), row] as const;
        }),
      );
      if (!names.every((name) => byName.has(name))) continue;
      for (const [at, value] of list.entries())
        this.#addMissing(value, items, byName.get(names[at] ?? ""), `${pointer}/${at}`);
    }
  }

  #addMissing(
    value: Record<string, unknown>,
    { properties }: Shape,
    row: Scope | undefined,
    pointer: string,
  ): void {
    if (row === undefined) return;
    for (const [name, property] of properties) {
      if (value[name] !== undefined) continue;
      const asked = parseNameInContext(name, properties.keys(), row.list);
      const found = this.#fill.property(asked, property, row, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
  }

  /**
   * True if no other list of the page, with its name or with more properties, has the same rows.
   */
  #takeGroup(group: RowGroup, { properties }: Shape, wanted: Name, pointer: string): boolean {
    const isNamed = isListNamed(group, wanted);
    const owner = this.#owners.get(group);
    if (owner !== undefined && owner.pointer !== pointer && !isNamed)
      if (owner.isNamed || owner.size >= properties.size) return false;
    this.#owners.set(group, { pointer, isNamed, size: properties.size });
    return true;
  }

  /** `list` is the name of the list, which names its rows: `modules`. */
  #rowScope(visible: VisibleScope, items: Shape, list: Name, group: string): Scope {
    const typeWords = new Set([...listTypeWords([], items), ...list.words]);
    return { things: [], typeWords, page: undefined, visible, group, list };
  }

  /** Fills the missing name of a row of figures from its first cell. */
  #nameRow(
    value: Record<string, unknown>,
    { visible, typeWords }: Scope,
    { properties }: Shape,
    pointer: string,
  ): void {
    // `name` or, in a list of segments, `segment`.
    const [key] =
      [...properties].find(([written, { kind }]) => {
        const { concepts, words } = parseName(written);
        return (
          kind === "string" && (concepts.has("name") || words.every((word) => typeWords.has(word)))
        );
      }) ?? [];
    if (visible === undefined || key === undefined || value[key] !== undefined) return;
    const texts = [...properties.values()].filter(({ kind }) => kind === "string").length;
    if (texts > 1 || !Object.values(value).some((each) => typeof each === "number")) return;
    const cell = findNameCell(visible.cells);
    if (cell === undefined) return;
    value[key] = cell.text;
    const leaf = toVisibleLeaf(visible, cell.node, cell.text, "table", cell.text);
    this.#notes.note(`${pointer}/${escape(key)}`, leaf, "medium");
  }

  fillAll(
    scopes: readonly Scope[],
    items: Shape,
    pointer: string,
    maxItems: number,
  ): Record<string, unknown>[] | undefined {
    const list: Record<string, unknown>[] = [];
    const used: Scope[] = [];
    const stored = new Set<string>();
    for (const scope of scopes.slice(0, MAX_ITEMS)) {
      if (list.length >= maxItems) break;
      const at = `${pointer}/${list.length}`;
      const value = this.#fill.object(items, scope, at);
      if (value !== undefined) this.#nameRow(value, scope, items, at);
      // Script data holds one object in several places.
      const isStored = scope.things[0]?.source === "state";
      const key = isStored ? JSON.stringify(value) : undefined;
      const isRepeated = key !== undefined && stored.has(key);
      if (value === undefined || isSum(value, scope.list) || isBreak(value, items) || isRepeated)
        this.#notes.forget(at);
      else {
        list.push(value);
        used.push(scope);
      }
      if (key !== undefined) stored.add(key);
    }
    const totals = findTotals(list);
    const complete = selectComplete(list, items).filter((position) => !totals.has(position));
    if (complete.length < list.length) {
      this.#notes.forget(pointer);
      return this.fillAll(
        complete.flatMap((at) => used[at] ?? []),
        items,
        pointer,
        maxItems,
      );
    }
    return list.length === 0 ? undefined : list;
  }
}

const foldName = (name: unknown): string => (typeof name === "string" ? fold(name) : "");
