// Fills an object inside of an object, such as `current` or `seller`, with values that a page shows
// for the object's name and the property's, or for the property's alone.
import { isAside, isHidden } from "../../../page-model/node.ts";
import type { Evidence } from "../declared/finding.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { type Name, parseName, scoreSimilarity } from "../names/names.ts";
import { findLength } from "../visible/period-columns.ts";
import { VisibleScope } from "../visible/visible-scope.ts";
import type { Notes } from "./notes.ts";
import type { FillScope } from "./object-lists.ts";
import type { Scope } from "./scope.ts";

/** Concepts of properties that identify a person, company or place. */
const IDENTITY = ["name", "email", "phone", "url", "address", "street"];
/** Concepts of properties by which someone is reached. */
const CONTACT = ["email", "phone", "mobile", "fax", "address", "street", "city", "postal code"];

const hasConcept = (property: string, concepts: readonly string[]): boolean =>
  concepts.some((concept) => parseName(property).concepts.has(concept));

/** True for the shape of a person, company or place with a name or contact of its own. */
const hasIdentity = ({ properties }: Shape): boolean =>
  [...properties.keys()].some((property) => hasConcept(property, IDENTITY));

/** Parties whose contacts a page about something else rarely has. */
const PARTY =
  /^(?:author|writer|editor|reviewer|photographer|translator|designer|artist|composer|director|maker|manufacturer|producer|brand|importer|supplier|seller|vendor|dealer|merchant|retailer|publisher|organi[sz]er|sponsor|landlord|owner|advertiser|employer)$/;
/** Parties that a page may be about, unless another property asks for its title. */
const ORGANIZATION =
  /^(?:company|organi[sz]ation|business|firm|institution|agency|association|operator|provider)$/;

/** `technical_contact` is one of several. */
const isOneOfContacts = ({ words }: Pick<Name, "words">): boolean =>
  words.length > 1 && words.at(-1) === "contact" && !MAIN.test(words[0] ?? "");

const MAIN = /^(?:main|general|primary|contact|page)$/;

/** Names that only group values of the page. */
const GROUPING =
  /^(?:current|currently|now|today|condition|weather|observation|detail|spec|specification|overview|summary|stat|statistic|dimension|size|measurement|figure|fact|info|information|data|metadata|attribute|property|characteristic|feature|metric|indicator|performance|nutrition|nutritional|pricing|price|result|total|key|main|general|basic|technical|product|item|page|value|highlight)$/;

/** Names of something else than what the page shows. */
const OTHER =
  /^(?:previous|prior|next|competitor|rival|comparison|benchmark|peer|related|similar)$/;

/** Words before the name of a part of the page: "About the seller". */
const BEFORE_NAME =
  /^(?:about|the|this|your|our|meet|contact|uber|den|die|das|zum|zur|a|propos|du|de|la|le|sobre|el|il|lo|over)$/;

type Found = {
  readonly value: unknown;
  /** False for a value that only the property's own name found on the page. */
  readonly isOfObject: boolean;
};

export class NestedObjects {
  readonly #fill: FillScope;
  readonly #notes: Notes;
  #isPageTitled = false;

  constructor(fill: FillScope, notes: Notes) {
    this.#fill = fill;
    this.#notes = notes;
  }

  /** Says what the whole schema asks for. */
  describe({ properties }: Shape): void {
    this.#isPageTitled = [...properties].some(
      ([name, { kind }]) => kind === "string" && /(?:^|_)(?:name|title|headline)$/i.test(name),
    );
  }

  /**
   * Returns the object, undefined if the page has too few of its values. `{price: {amount,
   * currency}}` is filled from a page's price and its currency.
   */
  fill(
    wanted: Name,
    shape: Shape,
    scope: Scope,
    pointer: string,
  ): Record<string, unknown> | undefined {
    const found = new Map<string, Found>();
    const part = createPartScope(wanted, scope);
    for (const [name, property] of shape.properties) {
      const at = `${pointer}/${escape(name)}`;
      const each = this.#find(wanted, [name, property], { scope, part, at });
      if (each !== undefined) found.set(name, each);
    }
    const isHalf = found.size * 2 >= shape.properties.size;
    const isWithIdentity = hasIdentity(shape);
    if (isWithIdentity && !isHalf) return undefined;
    const isAnyKept =
      (isHalf || wanted.words.every((word) => GROUPING.test(word))) &&
      !isOtherPeriod(wanted, scope);
    const isOther = wanted.words.some((word) => OTHER.test(word)) || isOtherPeriod(wanted, scope);
    const kept = [...found].filter(([name, { isOfObject }]) => {
      const at = `${pointer}/${escape(name)}`;
      // A label with the property's name counts where the page is about the only such thing.
      const isKept = isAnyKept || isOfObject || (!isOther && this.#notes.exact.has(at));
      if (!isKept) this.#notes.forget(at);
      return isKept;
    });
    return kept.length === 0
      ? undefined
      : Object.fromEntries(kept.map(([name, { value }]) => [name, value]));
  }

  #find(
    wanted: Name,
    [name, property]: readonly [string, Shape],
    { scope, part, at }: { scope: Scope; part: Scope | undefined; at: string },
  ): Found | undefined {
    const short = parseName(name);
    const isOfOther = wanted.words.some((word) => OTHER.test(word));
    const long = this.#fill.property(parseName(`${wanted.key} ${name}`), property, scope, at);
    if (long !== undefined) {
      const isOfObject =
        this.#isSure(at) || (!isOfOther && !this.#isFoundBy(short, property, scope, at));
      if (isOfObject || !isOfOther) return { value: long, isOfObject };
      this.#notes.forget(at);
    }
    if (short.concepts.has("name") || short.concepts.has("description")) return undefined;
    const isContact = hasConcept(name, CONTACT) && this.#isOfOtherParty(wanted);
    if (part !== undefined && (isContact || isOfOther)) {
      const own = this.#fill.property(short, property, part, at);
      if (own !== undefined && (isContact || this.#isLabeled(at)))
        return { value: own, isOfObject: true };
      this.#notes.forget(at);
    }
    if (isOfOther) return undefined;
    const value = this.#fill.property(short, property, scope, at);
    if (value === undefined) return undefined;
    if (isContact && isOneOfContacts(wanted)) {
      this.#notes.forget(at);
      return undefined;
    }
    const needsLabel = isContact || wanted.words.includes("record");
    if (!needsLabel || this.#isLabeled(at)) return { value, isOfObject: false };
    this.#notes.forget(at);
    return undefined;
  }

  #isOfOtherParty({ words }: Name): boolean {
    if (isOneOfContacts({ words })) return true;
    return words.some(
      (word) => PARTY.test(word) || (this.#isPageTitled && ORGANIZATION.test(word)),
    );
  }

  /** True if a name finds the value that is noted at a pointer at the same place. */
  #isFoundBy(name: Name, property: Shape, scope: Scope, pointer: string): boolean {
    const other = `${pointer}#`;
    this.#fill.property(name, property, scope, other);
    const place = this.#notes.placeOf(other);
    this.#notes.forget(other);
    return place !== undefined && place === this.#notes.placeOf(pointer);
  }

  /** True for a value beside a label or in a column of its whole name. */
  #isSure(pointer: string): boolean {
    return this.#listEvidence(pointer).every(([at]) => this.#notes.strong.has(at));
  }

  /** True for a value beside a label of its property. */
  #isLabeled(pointer: string): boolean {
    return this.#listEvidence(pointer).every(
      ([, { source }]) => source === "label" || source === "table",
    );
  }

  /** The evidence of a value, or of all values of an object or list. */
  #listEvidence(pointer: string): readonly (readonly [string, Evidence])[] {
    const own = this.#notes.evidence.get(pointer);
    if (own !== undefined) return [[pointer, own]];
    return [...this.#notes.evidence].filter(([at]) => at.startsWith(`${pointer}/`));
  }
}

/** True for `six_months` on a page that is titled as one of a quarter: its figures are others. */
function isOtherPeriod({ words }: Name, { visible }: Scope): boolean {
  const length = findLength(words.join(" "));
  const heading = visible?.model.heading;
  if (length === undefined || visible === undefined || heading === undefined) return false;
  const shown = findLength(visible.model.lineOf(heading));
  return shown !== undefined && shown !== length;
}

/** The only part of a page whose heading names the object. */
function createPartScope(wanted: Name, { visible, page, typeWords }: Scope): Scope | undefined {
  if (visible === undefined || page === undefined) return undefined;
  const { model } = visible;
  const [section, ...others] = model.sections.filter(({ heading, title }) => {
    if (heading === model.heading || isAside(heading) || isHidden(heading)) return false;
    const { words } = parseName(title);
    const start = words.findIndex((word) => !BEFORE_NAME.test(word));
    const named = parseName(words.slice(Math.max(0, start)).join(" "));
    return [parseName(title), named].some((each) => scoreSimilarity(wanted, each) >= 0.9);
  });
  if (section === undefined || others.length > 0) return undefined;
  const nodes = model.nodes
    .slice(section.start, section.end)
    .filter(({ parent }) => parent < section.start);
  const own = VisibleScope.record(model, { nodes });
  return { things: [], typeWords, page: undefined, visible: own, group: "" };
}
