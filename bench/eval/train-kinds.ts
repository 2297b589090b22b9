// Trains the forests that classify kinds of pages, and measures them.
import { PAGE_KINDS } from "../../src/contract/page/page-kinds.ts";
import {
  createKindReader,
  KIND_FEATURES,
  type KindModel,
} from "../../src/html/main-content/model/page-kind.ts";
import { trainBoostedTrees, type BoostOptions } from "./boost-trees.ts";
import type { PreparedPage } from "./prepare-pages.ts";

const OPTIONS: BoostOptions = {
  forests: 1,
  trees: 40,
  leaves: 6,
  rate: 0.12,
  rowShare: 0.7,
  featureShare: 0.4,
  ridge: 1,
  leastWeight: 2,
  seed: 7,
};

/** Pages with text whose kind was labelled by people. */
const isLabelled = (page: PreparedPage): boolean =>
  page.set === "wcxb-dev" && page.sizes.length > 0;

/** One forest for each kind, against all others. */
export function trainKinds(pages: readonly PreparedPage[]): KindModel {
  const labelled = pages.filter(isLabelled);
  const width = KIND_FEATURES.length;
  const values = new Float32Array(labelled.length * width);
  labelled.forEach((page, row) => values.set(page.kindRow, row * width));
  const forests = PAGE_KINDS.map((kind) => {
    const targets = Float32Array.from(labelled, (page) => (page.kind === kind ? 1 : 0));
    const rows = { features: KIND_FEATURES, values, targets, weights: targets.map(() => 1) };
    return [kind, trainBoostedTrees(rows, OPTIONS).model] as const;
  });
  return Object.fromEntries(forests) as KindModel;
}

/** Accuracy over all pages, and recall and precision for each kind. */
export function measureKinds(
  pages: readonly PreparedPage[],
  modelOf: (page: PreparedPage) => KindModel | undefined,
): string {
  const readers = new Map<KindModel, ReturnType<typeof createKindReader>>();
  const predictions = pages.filter(isLabelled).flatMap((page) => {
    const model = modelOf(page);
    if (model === undefined) return [];
    const read = readers.get(model) ?? createKindReader(model);
    readers.set(model, read);
    return [{ kind: page.kind, predicted: read(page.kindRow) }];
  });
  const share = (part: readonly unknown[], whole: readonly unknown[]): string =>
    (part.length / Math.max(whole.length, 1)).toFixed(3);
  const right = predictions.filter((page) => page.kind === page.predicted.kind);
  const confident = predictions.filter((page) => page.predicted.probability >= 0.5);
  const kinds = PAGE_KINDS.map((kind) => {
    const found = right.filter((page) => page.kind === kind);
    return `${kind} ${share(
      found,
      predictions.filter((page) => page.kind === kind),
    )}/${share(
      found,
      predictions.filter((page) => page.predicted.kind === kind),
    )}`;
  });
  return `kinds right ${share(right, predictions)}, confident ${share(confident, predictions)} and right in ${share(
    confident.filter((page) => page.kind === page.predicted.kind),
    confident,
  )}; found/precise ${kinds.join("  ")}`;
}
