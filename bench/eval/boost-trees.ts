// Histogram gradient boosting for a probability: leaf-wise trees, logistic loss with soft targets,
// 63 bins per feature, seeded and reproducible.
import type { TreeModel } from "../../src/html/main-content/model/model.ts";

export type TrainingRows = {
  readonly features: readonly string[];
  /** Row-major. */
  readonly values: Float32Array;
  readonly targets: Float32Array;
  readonly weights: Float32Array;
};

export type BoostOptions = {
  /** Forests on rows and features sampled separately; the model averages their log odds. */
  readonly forests: number;
  /** Trees per forest. */
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  /** Shares of rows and features per tree. */
  readonly rowShare: number;
  readonly featureShare: number;
  readonly ridge: number;
  readonly leastWeight: number;
  readonly seed: number;
};

export type TrainedModel = { readonly model: TreeModel; readonly gains: Map<string, number> };

const MAX_BINS = 64;

/** xorshift32: sufficient for sampling rows, the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

function computeBinEdges(rows: TrainingRows): number[][] {
  const width = rows.features.length;
  const count = rows.targets.length;
  const step = Math.max(1, Math.floor(count / 50_000));
  return rows.features.map((_, feature) => {
    const sample: number[] = [];
    for (let row = 0; row < count; row += step) sample.push(rows.values[row * width + feature]!);
    const sorted = Float64Array.from(sample).sort();
    const distinct = [...new Set(sorted)];
    const edges = new Set<number>();
    const middle = (low: number, high: number): number => Number(((low + high) / 2).toPrecision(4));
    if (distinct.length < MAX_BINS)
      for (let at = 1; at < distinct.length; at++)
        edges.add(middle(distinct[at - 1]!, distinct[at]!));
    else
      for (let bin = 1; bin < MAX_BINS - 1; bin++)
        edges.add(
          Number(sorted[Math.floor((bin * sorted.length) / (MAX_BINS - 1))]!.toPrecision(4)),
        );
    return [...edges].sort((one, two) => one - two);
  });
}

function assignBins(rows: TrainingRows, edges: readonly number[][]): Uint8Array {
  const width = edges.length;
  const bins = new Uint8Array(rows.values.length);
  for (let at = 0; at < bins.length; at++) {
    const cuts = edges[at % width]!;
    const value = rows.values[at]!;
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (value <= cuts[half]!) high = half;
      else low = half + 1;
    }
    bins[at] = low;
  }
  return bins;
}

type Leaf = {
  node: number;
  from: number;
  to: number;
  sums: Float64Array;
  gradient: number;
  hessian: number;
  gain: number;
  feature: number;
  bin: number;
};
type Tree = { feature: number[]; bin: number[]; left: number[]; right: number[]; value: number[] };

/** Fits the trees. `onTree` receives the number of finished trees. */
export function trainBoostedTrees(
  rows: TrainingRows,
  options: BoostOptions,
  onTree: (done: number) => void = () => {},
): TrainedModel {
  return new Booster(rows, options).run(onTree);
}

class Booster {
  readonly #rows: TrainingRows;
  readonly #options: BoostOptions;
  readonly #edges: number[][];
  readonly #bins: Uint8Array;
  readonly #random: () => number;
  readonly #gradients: Float32Array;
  readonly #hessians: Float32Array;
  readonly #scores: Float64Array;
  readonly #order: Int32Array;
  readonly #spare: Int32Array;
  readonly #gains = new Map<string, number>();
  #active: Int32Array = new Int32Array(0);
  readonly #base: number;

  constructor(rows: TrainingRows, options: BoostOptions) {
    const count = rows.targets.length;
    this.#rows = rows;
    this.#options = options;
    this.#edges = computeBinEdges(rows);
    this.#bins = assignBins(rows, this.#edges);
    this.#random = createRandom(options.seed);
    this.#gradients = new Float32Array(count);
    this.#hessians = new Float32Array(count);
    this.#order = new Int32Array(count);
    this.#spare = new Int32Array(count);
    let positive = 0;
    let whole = 0;
    for (let row = 0; row < count; row++) {
      positive += rows.weights[row]! * rows.targets[row]!;
      whole += rows.weights[row]!;
    }
    this.#base = Number(Math.log(positive / (whole - positive)).toFixed(4));
    this.#scores = new Float64Array(count).fill(this.#base);
  }

  run(onTree: (done: number) => void): TrainedModel {
    const trees: Tree[] = [];
    for (let forest = 0; forest < this.#options.forests; forest++) {
      this.#scores.fill(this.#base);
      for (let done = 0; done < this.#options.trees; done++) {
        this.#differentiate();
        const tree = this.#grow(this.#sampleRows());
        this.#apply(tree);
        onTree(trees.push(tree));
      }
    }
    return { model: this.#pack(trees), gains: this.#gains };
  }

  #differentiate(): void {
    const { targets, weights } = this.#rows;
    for (let row = 0; row < targets.length; row++) {
      const probability = 1 / (1 + Math.exp(-this.#scores[row]!));
      this.#gradients[row] = weights[row]! * (probability - targets[row]!);
      this.#hessians[row] = weights[row]! * Math.max(probability * (1 - probability), 1e-6);
    }
  }

  #sampleRows(): number {
    let taken = 0;
    for (let row = 0; row < this.#scores.length; row++)
      if (this.#random() < this.#options.rowShare) this.#order[taken++] = row;
    const features = this.#edges
      .map((_, feature) => feature)
      .filter(
        (feature) =>
          this.#edges[feature]!.length > 0 && this.#random() < this.#options.featureShare,
      );
    this.#active = Int32Array.from(features);
    return taken;
  }

  #histogram(from: number, to: number): Float64Array {
    const width = this.#edges.length;
    const sums = new Float64Array(width * MAX_BINS * 2);
    const active = this.#active;
    const bins = this.#bins;
    for (let at = from; at < to; at++) {
      const row = this.#order[at]!;
      const gradient = this.#gradients[row]!;
      const hessian = this.#hessians[row]!;
      const start = row * width;
      for (let index = 0; index < active.length; index++) {
        const feature = active[index]!;
        const cell = (feature * MAX_BINS + bins[start + feature]!) * 2;
        sums[cell]! += gradient;
        sums[cell + 1]! += hessian;
      }
    }
    return sums;
  }

  #best(leaf: Leaf): void {
    const { ridge, leastWeight } = this.#options;
    const whole = (leaf.gradient * leaf.gradient) / (leaf.hessian + ridge);
    leaf.gain = 0;
    for (const feature of this.#active) {
      const last = this.#edges[feature]!.length;
      let gradient = 0;
      let hessian = 0;
      for (let bin = 0; bin < last; bin++) {
        const cell = (feature * MAX_BINS + bin) * 2;
        gradient += leaf.sums[cell]!;
        hessian += leaf.sums[cell + 1]!;
        const restHessian = leaf.hessian - hessian;
        if (hessian < leastWeight || restHessian < leastWeight) continue;
        const rest = leaf.gradient - gradient;
        const gain =
          (gradient * gradient) / (hessian + ridge) + (rest * rest) / (restHessian + ridge) - whole;
        if (gain > leaf.gain) {
          leaf.gain = gain;
          leaf.feature = feature;
          leaf.bin = bin;
        }
      }
    }
  }

  #grow(taken: number): Tree {
    const tree: Tree = { feature: [], bin: [], left: [], right: [], value: [] };
    const open: Leaf[] = [];
    const add = (from: number, to: number, sums: Float64Array): Leaf => {
      let gradient = 0;
      let hessian = 0;
      for (let at = from; at < to; at++) {
        gradient += this.#gradients[this.#order[at]!]!;
        hessian += this.#hessians[this.#order[at]!]!;
      }
      const node = tree.feature.push(-1) - 1;
      tree.bin.push(0);
      tree.left.push(-1);
      tree.right.push(-1);
      tree.value.push((-gradient / (hessian + this.#options.ridge)) * this.#options.rate);
      const leaf: Leaf = { node, from, to, sums, gradient, hessian, gain: 0, feature: -1, bin: 0 };
      this.#best(leaf);
      return leaf;
    };
    open.push(add(0, taken, this.#histogram(0, taken)));
    for (let leaves = 1; leaves < this.#options.leaves; leaves++) {
      let pick = 0;
      for (let index = 1; index < open.length; index++)
        if (open[index]!.gain > open[pick]!.gain) pick = index;
      const leaf = open[pick]!;
      if (leaf.gain <= 1e-9) break;
      const name = this.#rows.features[leaf.feature]!;
      this.#gains.set(name, (this.#gains.get(name) ?? 0) + leaf.gain);
      const middle = this.#partition(leaf);
      const smallLeft = middle - leaf.from < leaf.to - middle;
      const small = smallLeft
        ? this.#histogram(leaf.from, middle)
        : this.#histogram(middle, leaf.to);
      const large = leaf.sums;
      for (let cell = 0; cell < large.length; cell++) large[cell]! -= small[cell]!;
      const left = add(leaf.from, middle, smallLeft ? small : large);
      const right = add(middle, leaf.to, smallLeft ? large : small);
      tree.feature[leaf.node] = leaf.feature;
      tree.bin[leaf.node] = leaf.bin;
      tree.left[leaf.node] = left.node;
      tree.right[leaf.node] = right.node;
      open[pick] = left;
      open.push(right);
    }
    return tree;
  }

  #partition(leaf: Leaf): number {
    const width = this.#edges.length;
    let write = leaf.from;
    let spare = 0;
    for (let at = leaf.from; at < leaf.to; at++) {
      const row = this.#order[at]!;
      if (this.#bins[row * width + leaf.feature]! <= leaf.bin) this.#order[write++] = row;
      else this.#spare[spare++] = row;
    }
    this.#order.set(this.#spare.subarray(0, spare), write);
    return write;
  }

  #apply(tree: Tree): void {
    const width = this.#edges.length;
    for (let row = 0; row < this.#scores.length; row++) {
      let node = 0;
      while (tree.feature[node]! >= 0)
        node =
          this.#bins[row * width + tree.feature[node]!]! <= tree.bin[node]!
            ? tree.left[node]!
            : tree.right[node]!;
      this.#scores[row]! += tree.value[node]!;
    }
  }

  /** Lays the trees out in pre-order, left child first, without unused features and edges. */
  #pack(trees: readonly Tree[]): TreeModel {
    const bins = new Map<number, Set<number>>();
    for (const tree of trees)
      tree.feature.forEach((feature, node) => {
        if (feature >= 0) bins.set(feature, (bins.get(feature) ?? new Set()).add(tree.bin[node]!));
      });
    const ascending = (numbers: Iterable<number>): number[] =>
      [...numbers].sort((one, two) => one - two);
    const used = ascending(bins.keys());
    const asked = used.map((feature) => ascending(bins.get(feature)!));
    const model = {
      features: used.map((feature) => this.#rows.features[feature]!),
      edges: used.map((feature, at) => asked[at]!.map((bin) => this.#edges[feature]![bin]!)),
      base: this.#base,
      roots: [] as number[],
      feature: [] as number[],
      edge: [] as number[],
      right: [] as number[],
      values: [] as number[],
    };
    for (const tree of trees) {
      model.roots.push(model.feature.length);
      const visit = (node: number): void => {
        const at = model.feature.push(-1) - 1;
        model.edge.push(0);
        model.right.push(0);
        if (tree.feature[node]! < 0) {
          model.edge[at] =
            model.values.push(Number((tree.value[node]! / this.#options.forests).toFixed(4))) - 1;
          return;
        }
        const column = used.indexOf(tree.feature[node]!);
        model.feature[at] = column;
        model.edge[at] = asked[column]!.indexOf(tree.bin[node]!);
        visit(tree.left[node]!);
        model.right[at] = model.feature.length - at;
        visit(tree.right[node]!);
      };
      visit(0);
    }
    return model;
  }
}
