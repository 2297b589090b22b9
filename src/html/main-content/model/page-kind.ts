// Classifies the page: one small forest per kind, applied to the page as a whole. The forests are
// data: kinds.json, trained by scripts/train-main-content.ts.
import { PAGE_KINDS, type PageKind } from "../../../contract/page/page-kinds.ts";
import type { PageHints } from "../../evidence/page-hints.ts";
import { NO_ANCESTOR_DISTANCE } from "../blocks/element-facts.ts";
import { createPredictor, type Predictor, type TreeModel } from "./model.ts";
import { GROUP_NAMES } from "../blocks/name-groups.ts";
import { computeShare } from "../features/page-facts.ts";
import { computePageFeatures, PAGE_NAMES } from "../features/page-features.ts";
import { readPageSignals, SIGNAL_NAMES } from "./page-signals.ts";
import type { PageView } from "../features/page-view.ts";

export type KindOfPage = {
  readonly kind: PageKind;
  /** 0 to 1; the probabilities of all kinds add up to 1. */
  readonly probability: number;
  /** Role of the page, if its address or metadata declares one. */
  readonly role?: "home" | "search" | "profile" | undefined;
};

export type KindModel = Readonly<Record<PageKind, TreeModel>>;

/** Name groups whose share of the page is a feature. */
const SHARED = ["comment", "product", "card", "docs", "labels", "meta", "footer", "tag-paragraph"];
const SHARED_AT = SHARED.map((name) => GROUP_NAMES.indexOf(name));

/** Feature names of a page row. */
export const KIND_FEATURES: readonly string[] = [
  ...PAGE_NAMES,
  ...SIGNAL_NAMES,
  ...SHARED.map((name) => `share-${name}`),
];

/** Computes the input of the forests: one row. */
export function computeKindFeatures(view: PageView, url: string, hints: PageHints): Float32Array {
  const { segmentation, elements, page } = view;
  const sizes = new Float64Array(SHARED_AT.length);
  for (const { container, size } of segmentation.blocks) {
    if (container < 0) continue;
    const row = container * GROUP_NAMES.length;
    for (let at = 0; at < SHARED_AT.length; at++)
      if (elements.distance[row + SHARED_AT[at]!]! < NO_ANCESTOR_DISTANCE) sizes[at]! += size;
  }
  return Float32Array.from([
    ...computePageFeatures(view),
    ...readPageSignals(url, hints, elements.itemTypes),
    ...Array.from(sizes, (size) => computeShare(size, page.size)),
  ]);
}

/** Returns the most probable kind for a row. */
export type KindReader = (row: Float32Array) => Pick<KindOfPage, "kind" | "probability">;

/** Unpacks the forests once. */
export function createKindReader(model: KindModel): KindReader {
  const forests: readonly Predictor[] = PAGE_KINDS.map((kind) =>
    createPredictor(model[kind], KIND_FEATURES),
  );
  return (row) => {
    const found = forests.map((predict) => predict(row)[0]!);
    const whole = found.reduce((sum, probability) => sum + probability, 0);
    let best = 0;
    found.forEach((probability, at) => {
      if (probability > found[best]!) best = at;
    });
    return { kind: PAGE_KINDS[best]!, probability: computeShare(found[best]!, whole) };
  };
}

/** Share of product pages among those that linked data and the Open Graph type both declare one. */
const DECLARED_PRODUCT = 0.97;

/**
 * Replaces a guess against the page's own word: linked data of exactly one product together with the
 * Open Graph type "product". A category often has one of the two, rarely both.
 */
export function correctKind(
  guess: ReturnType<KindReader>,
  { openGraphType, products }: PageHints,
): ReturnType<KindReader> {
  const isDeclared = products.length === 1 && /^(?:og:)?product(?:\.item)?$/.test(openGraphType);
  if (!isDeclared || (guess.kind === "product" && guess.probability > DECLARED_PRODUCT))
    return guess;
  return { kind: "product", probability: DECLARED_PRODUCT };
}

/** Returns the role of a page according to its address and metadata. */
export function classifyRole(
  url: string,
  { openGraphType, dataTypes }: PageHints,
): KindOfPage["role"] {
  if (dataTypes.has("SearchResultsPage")) return "search";
  if (dataTypes.has("ProfilePage") || openGraphType === "profile") return "profile";
  const address = /^[a-z]+:\/\/[^/?#]+([^?#]*)(\?[^#]*)?/i.exec(url);
  if (address === null) return undefined;
  const [, path = "", query = ""] = address;
  if (/\/(?:search|find|results|suche|recherche|buscar)(?:\/|\.\w+|$)/i.test(path)) return "search";
  if (/[?&](?:q|query|search|keywords?|s)=[^&]/i.test(query)) return "search";
  if (/\/(?:users?|profiles?|members?|u)\/[^/]+\/?$|\/@[^/]+\/?$/i.test(path)) return "profile";
  return /^\/?(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:index\.\w+|home\/?)?$/i.test(path)
    ? "home"
    : undefined;
}
