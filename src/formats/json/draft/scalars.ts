// Fills one text, number or boolean: with the data that a page declares, or with what it shows
// where that contradicts the data or there is none.
import { isAside, type PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Candidate } from "../declared/candidates.ts";
import type { Evidence, SourceKind } from "../declared/finding.ts";
import type { Findings } from "../declared/findings.ts";
import { listSiteWords, PAGE_LEVEL_TYPES } from "../declared/rank-things.ts";
import type { Name } from "../names/names.ts";
import { coerceScalar } from "../values/coerce.ts";
import { fitText, prepareValue } from "../values/values.ts";
import { isTimed } from "../visible/value-leaves.ts";
import { toWanted } from "../visible/label-match.ts";
import { isPriced } from "../visible/property-kind.ts";
import { isGenericTitle } from "../visible/record-parts.ts";
import { findVisibleValue } from "../visible/visible-values.ts";
import { type DeclaredValues, isCurrentPrice } from "./declared-values.ts";
import { findOptionInGroup, isDay, isOfGroup, listDayHeadings } from "./group-heading.ts";
import type { Notes } from "./notes.ts";
import type { Scope } from "./scope.ts";
import { areSimilar, differ, MIN_SPECIFIC_NUMBER } from "./stale-data.ts";
import type { ValueContexts } from "./value-contexts.ts";

/** "40%" may be the alcohol content and end the heading. */
const MIN_TITLE_WORDS = 4;

/** Names of texts that have a title. */
const BODY_NAMES = /^(?:text|body|content|description|message|transcript)$/;

/** Numbers of things, which have no unit and no scale. */
const COUNT_CONCEPTS = [
  "yields",
  "bedrooms",
  "bathrooms",
  "rooms",
  "credits",
  "review count",
  "guests",
];
const isWholeCount = ({ concepts }: Name): boolean =>
  COUNT_CONCEPTS.some((concept) => concepts.has(concept));

type Parts = {
  readonly notes: Notes;
  readonly contexts: ValueContexts;
  readonly declared: DeclaredValues;
};

export class Scalars {
  readonly #findings: Findings;
  readonly #notes: Notes;
  readonly #contexts: ValueContexts;
  readonly #declared: DeclaredValues;

  constructor(findings: Findings, { notes, contexts, declared }: Parts) {
    this.#findings = findings;
    this.#notes = notes;
    this.#contexts = contexts;
    this.#declared = declared;
  }

  fill(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    const candidates = this.#declared.list(wanted, scope);
    // The name of the organization or site around an item is not the item's.
    const isPageName = scope.page !== undefined && wanted.concepts.has("name");
    const isDeclared = ({ source, types }: Candidate): boolean =>
      source !== "metadata" &&
      !(isPageName && types.length > 0 && types.every((type) => PAGE_LEVEL_TYPES.has(type)));
    // Sellers may show one number and declare another, such as that of a variant: the labeled one
    // is used for orders.
    if (wanted.concepts.has("sku")) {
      const labeled = this.#visible(wanted, shape, scope, pointer);
      if (labeled !== undefined) return labeled;
    }
    if (wanted.concepts.has("availability")) {
      if (this.#declared.contradictsStock(candidates, wanted, shape, scope)) {
        this.#notes.reasons.set(pointer, "the page shows another state than its data declares");
        return undefined;
      }
      const declared = [...candidates, ...this.#declared.listOfVariants(wanted, scope)].filter(
        isDeclared,
      );
      const offered = this.#declared.findInStock(declared, wanted, shape, pointer);
      if (offered !== undefined) return offered;
    }
    if (
      isCurrentPrice(wanted) &&
      this.#declared.declaresOtherPrice(candidates.filter(isDeclared), wanted, shape)
    ) {
      const shown = this.#visible(wanted, shape, scope, pointer);
      if (shown !== undefined) return shown;
    }
    const isOfOneVariant = this.#declared.differsByVariant(wanted, scope);
    const declared = isOfOneVariant
      ? undefined
      : this.#declared.choose(candidates.filter(isDeclared), wanted, shape, pointer, scope);
    if (this.#declared.isVariantName(declared, wanted, scope)) {
      this.#notes.forget(pointer);
      const heading = this.#visible(wanted, shape, scope, pointer);
      if (heading !== undefined) return heading;
    }
    if (declared !== undefined)
      return this.#shownInstead(declared, wanted, shape, scope, pointer) ?? declared;
    const shown = this.#visible(wanted, shape, scope, pointer);
    if (shown !== undefined) return shown;
    if (isOfOneVariant) {
      this.#notes.reasons.set(pointer, "it differs between the variants that the page describes");
      return undefined;
    }
    // Data in a page's head is about the page, not about the item on it.
    const others = candidates.filter((each) => !isDeclared(each));
    const found = this.#declared.choose(others, wanted, shape, pointer, scope);
    // "Contact" and "Pricing that fits your team" are titles of pages.
    const { model, title } = this.#findings;
    const heading = model?.heading === undefined ? title : model.lineOf(model.heading);
    if (found !== heading || !isGenericTitle(wanted, heading)) return found;
    this.#notes.forget(pointer);
    return undefined;
  }

  /**
   * The visible value that contradicts a declared one: the page labels it and does not show the
   * other.
   */
  #shownInstead(
    declared: unknown,
    wanted: Name,
    shape: Shape,
    scope: Scope,
    pointer: string,
  ): unknown {
    if (scope.page === undefined || scope.visible === undefined) return undefined;
    if (this.#notes.evidence.get(pointer)?.source !== "json-ld") return undefined;
    const stale = this.#declared.getStaleData(scope);
    if (stale === undefined) return undefined;
    const isShown = stale.isShown(declared as string | number | boolean);
    // A price has rules of its own, and "4 hours" may be the 240 minutes of the data.
    const isCount = typeof declared === "number" && !isPriced(wanted) && !isTimed(wanted);
    // A small number is on every page: that it is shown says little.
    const isVague = isCount && declared < MIN_SPECIFIC_NUMBER && isWholeCount(wanted);
    if (isShown && !isVague) return undefined;
    const restore = this.#notes.save(pointer);
    const shown = this.#visible(wanted, shape, scope, pointer);
    const evidence = this.#notes.evidence.get(pointer);
    const { source, confidence } = evidence ?? {};
    const isCounted = isCount && source === "list" && this.#isAloneBelowHeading(evidence);
    const isLabeled =
      source === "label" ||
      source === "table" ||
      (source === "section" && wanted.concepts.has("name") && areSimilar(declared, shown));
    const isSure = confidence === "high" || (isCount && this.#isOfMainPart(evidence));
    const isInPlace = !isVague || this.#isOfMainPart(evidence);
    if (
      shown !== undefined &&
      (isLabeled || isCounted) &&
      isSure &&
      isInPlace &&
      differ(declared, shown, shape)
    )
      return shown;
    restore();
    return undefined;
  }

  #visible(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (scope.visible === undefined) return undefined;
    const isGroup = isOfGroup(wanted, shape, scope);
    // Sites put their own name before labels: "Example item number".
    const fillers = new Set([...scope.typeWords, ...listSiteWords(this.#findings.page)]);
    const ways = toWanted(wanted, shape, scope.typeWords).map((way) => ({
      ...way,
      fillers,
    }));
    const answer = findVisibleValue(ways, shape, scope.visible);
    // A column or label of the record itself comes before the heading of its part of the list.
    const isNamed = "found" in answer && answer.found.confidence === "high";
    const heading = isGroup ? scope.group : findOptionInGroup(scope.group, shape.description);
    const grouped =
      heading !== undefined && !isNamed
        ? coerceScalar(heading, shape, this.#contexts.of(wanted))
        : undefined;
    if (grouped !== undefined) return grouped;
    if ("reason" in answer) {
      const day = this.#dayAround(wanted, shape, scope);
      if (day !== undefined) return day;
      this.#notes.reasons.set(pointer, answer.reason);
      return undefined;
    }
    const context = this.#contexts.of(wanted);
    const { leaves, confidence, isExact } = answer.found;
    for (const leaf of leaves) {
      const given = prepareValue(leaf, wanted, leaf.evidence.source as SourceKind);
      const value = fitText(
        coerceScalar(given, shape, context),
        leaf.evidence.source as SourceKind,
        shape,
        wanted,
      );
      if (value === undefined || this.#isHeadingAsText(value, wanted)) continue;
      this.#notes.note(pointer, leaf, confidence, isExact);
      return value;
    }
    const text = leaves[0]?.evidence.text ?? this.#lineOf(answer.found.node);
    this.#notes.reasons.set(pointer, `"${text.slice(0, 60)}" is no ${shape.format ?? shape.kind}`);
    return undefined;
  }

  /** True for the heading of the page as the text below it: `question_text`, `body`. */
  #isHeadingAsText(value: unknown, { words }: Name): boolean {
    const { model } = this.#findings;
    const heading = model?.heading === undefined ? "" : this.#lineOf(model.heading);
    return (
      BODY_NAMES.test(words.at(-1) ?? "") &&
      typeof value === "string" &&
      value.length * 2 > heading.length &&
      value.split(/\s+/).length >= MIN_TITLE_WORDS &&
      heading.endsWith(value)
    );
  }

  /** The day that a heading further out names. */
  #dayAround(wanted: Name, shape: Shape, { page, visible }: Scope): unknown {
    if (page !== undefined || visible === undefined || shape.format !== "date") return undefined;
    if (!isDay(wanted)) return undefined;
    for (const heading of listDayHeadings(visible)) {
      const day = coerceScalar(heading, shape, this.#contexts.of(wanted));
      if (day !== undefined) return day;
    }
    return undefined;
  }

  /** "3 bathrooms" and nothing else; "12 people cooked this" counts something else. */
  #isAloneBelowHeading(evidence: Partial<Evidence> = {}): boolean {
    const node = this.#findNode(evidence);
    const { text = "" } = evidence;
    return (
      node !== undefined &&
      this.#isOfMainPart(evidence) &&
      this.#lineOf(node)
        .split(/[·•|]/u)
        .some((part) => part.trim() === text.trim())
    );
  }

  /** True for a value before the next heading: those of a part are about something else. */
  #isOfMainPart(evidence: Partial<Evidence> = {}): boolean {
    const { model } = this.#findings;
    const node = this.#findNode(evidence);
    if (model === undefined || node === undefined || isAside(node)) return false;
    const section = model.sections.findLast(
      ({ start, end }) => start <= node.index && node.index < end,
    );
    return section === undefined || section.heading === model.heading;
  }

  #findNode({ ref }: Partial<Evidence>): PageNode | undefined {
    return ref === undefined
      ? undefined
      : this.#findings.model?.nodes.find((node) => node.ref === ref);
  }

  #lineOf(node: PageNode): string {
    return this.#findings.model?.lineOf(node) ?? "";
  }
}
