// Gradient-boosted trees that predict the probability of every block to be main content. The trees
// are data: model.json, trained by scripts/train-main-content.ts.

/**
 * Trees as flat columns. A node's left child follows it; `right` is the distance to the other. A
 * node with feature -1 is a leaf whose `edge` is an index into `values`.
 */
export type TreeModel = {
  /** Names of the features, in row order. */
  readonly features: readonly string[];
  /** For each feature, the thresholds that nodes use. */
  readonly edges: readonly (readonly number[])[];
  /** Log odds before the first tree. */
  readonly base: number;
  readonly roots: readonly number[];
  readonly feature: readonly number[];
  readonly edge: readonly number[];
  readonly right: readonly number[];
  readonly values: readonly number[];
};

/** A loaded model. Returns a probability for each row. */
export type Predictor = (rows: Float32Array) => Float64Array;

/** Rows per group. Larger groups are less alike; smaller ones do not repay the specialization. */
const ROWS_PER_GROUP = 64;

/**
 * Unpacks a model once. `columns` names the row columns. Throws a RangeError if the model needs
 * other columns, because then model and code do not match.
 */
export function createPredictor(model: TreeModel, columns: readonly string[]): Predictor {
  const forest = unpack(model, columns);
  const width = columns.length;
  const cut = createTree(model.feature.length);
  const spans = { lowest: new Float32Array(width), highest: new Float32Array(width) };
  return (rows) => {
    const scores = new Float64Array(rows.length / width).fill(model.base);
    for (let from = 0; from < scores.length; from += ROWS_PER_GROUP) {
      const group = { rows, width, from, to: Math.min(from + ROWS_PER_GROUP, scores.length) };
      if (group.to - from === 1) {
        for (const root of forest.roots)
          scores[from]! += forest.value[findLeaf(forest, root, rows, from * width)]!;
        continue;
      }
      findSpans(group, spans);
      for (let tree = 0; tree < forest.roots.length; tree++)
        addTree(cut, cutTree(forest, forest.roots[tree]!, spans, cut), group, scores);
    }
    for (let row = 0; row < scores.length; row++) scores[row] = 1 / (1 + Math.exp(-scores[row]!));
    return scores;
  };
}

/** Rows `from` (inclusive) to `to` (exclusive) of a document. */
type Group = {
  readonly rows: Float32Array;
  readonly width: number;
  readonly from: number;
  readonly to: number;
};

/** Minimum and maximum of each column in a group. NaN counts as the minimum, as in the trees. */
type Spans = { readonly lowest: Float32Array; readonly highest: Float32Array };

/**
 * Nodes as columns, the two children side by side. `step` holds the left child and the column to
 * compare. A leaf is its own left child with an infinite `number`, so a walk stays there.
 */
type Nodes = {
  readonly step: Int32Array;
  readonly number: Float32Array;
  readonly value: Float32Array;
};
type Forest = Nodes & { readonly roots: Int32Array };

const createNodes = (count: number): Nodes => ({
  step: new Int32Array(count),
  number: new Float32Array(count),
  value: new Float32Array(count),
});

/**
 * A tree specialized for one group of rows. `source` is the node in the forest, `level` the depth.
 */
type CutTree = Nodes & { readonly source: Int32Array; readonly level: Int32Array };

const createTree = (most: number): CutTree => ({
  ...createNodes(most),
  source: new Int32Array(most),
  level: new Int32Array(most),
});

/** Bits of a step that hold the column. */
const COLUMN_BITS = 10;
const COLUMN_MASK = 2 ** COLUMN_BITS - 1;

function unpack(model: TreeModel, columns: readonly string[]): Forest {
  const getColumn = model.features.map((name) => {
    const column = columns.indexOf(name);
    if (column < 0) throw new RangeError(`the model asks for the unknown feature ${name}`);
    return column;
  });
  const count = model.feature.length;
  if (columns.length > COLUMN_MASK || count >= 2 ** (31 - COLUMN_BITS))
    throw new RangeError("the model is too large");
  const { step, number, value } = createNodes(count);
  let next = 0;
  const roots = Int32Array.from(model.roots, (root) => {
    const first = next;
    const open = [root];
    let at = first - 1;
    next++;
    for (const node of open) {
      at++;
      const asked = model.feature[node]!;
      if (asked < 0) {
        value[at] = model.values[model.edge[node]!]!;
        number[at] = Number.POSITIVE_INFINITY;
        step[at] = at << COLUMN_BITS;
        continue;
      }
      number[at] = model.edges[asked]![model.edge[node]!]!;
      step[at] = (next << COLUMN_BITS) | getColumn[asked]!;
      open.push(node + 1, node + model.right[node]!);
      next += 2;
    }
    return first;
  });
  return { roots, step, number, value };
}

function findSpans({ rows, width, from, to }: Group, { lowest, highest }: Spans): void {
  lowest.fill(Number.POSITIVE_INFINITY);
  highest.fill(Number.NEGATIVE_INFINITY);
  for (let row = from; row < to; row++) {
    const start = row * width;
    for (let column = 0; column < width; column++) {
      const number = rows[start + column]!;
      if (!(number >= lowest[column]!))
        lowest[column] = number < lowest[column]! ? number : Number.NEGATIVE_INFINITY;
      if (number > highest[column]!) highest[column] = number;
    }
  }
}

/**
 * Copies a tree without the comparisons that have the same result for all rows of the group.
 * Returns the depth that is left. Of seven comparisons per tree, one or two remain.
 */
function cutTree(forest: Forest, root: number, spans: Spans, cut: CutTree): number {
  const { step, number, value, source, level } = cut;
  level[0] = 0;
  source[0] = findFirstDivergent(forest, root, spans);
  let count = 1;
  for (let at = 0; at < count; at++) {
    const node = source[at]!;
    const way = forest.step[node]!;
    const left = way >> COLUMN_BITS;
    number[at] = forest.number[node]!;
    if (left === node) {
      value[at] = forest.value[node]!;
      step[at] = at << COLUMN_BITS;
      continue;
    }
    step[at] = (count << COLUMN_BITS) | (way & COLUMN_MASK);
    source[count] = findFirstDivergent(forest, left, spans);
    source[count + 1] = findFirstDivergent(forest, left + 1, spans);
    level[count] = level[at]! + 1;
    level[count + 1] = level[at]! + 1;
    count += 2;
  }
  return level[count - 1]!;
}

/**
 * Returns the first node from here on at which the rows of a group diverge, or their common leaf.
 */
function findFirstDivergent(
  { step, number }: Forest,
  from: number,
  { lowest, highest }: Spans,
): number {
  let node = from;
  for (;;) {
    const way = step[node]!;
    const left = way >> COLUMN_BITS;
    if (left === node) return node;
    const column = way & COLUMN_MASK;
    if (highest[column]! <= number[node]!) node = left;
    else if (lowest[column]! > number[node]!) node = left + 1;
    else return node;
  }
}

/**
 * Adds the scores of one tree to a group. The next child is computed without branches, which no CPU
 * could predict, and four rows are interleaved to hide latency.
 */
function addTree(tree: Nodes, depth: number, group: Group, scores: Float64Array): void {
  const { rows, width, from, to } = group;
  const { step, number, value } = tree;
  if (depth === 0) {
    for (let row = from; row < to; row++) scores[row]! += value[0]!;
    return;
  }
  if (depth === 1) {
    addStump(tree, group, scores);
    return;
  }
  const rest = to - ((to - from) % 4);
  for (let row = from; row < rest; row += 4) {
    const start0 = row * width;
    const start1 = start0 + width;
    const start2 = start1 + width;
    const start3 = start2 + width;
    let at0 = 0;
    let at1 = 0;
    let at2 = 0;
    let at3 = 0;
    for (let level = 0; level < depth; level++) {
      const way0 = step[at0]!;
      const way1 = step[at1]!;
      const way2 = step[at2]!;
      const way3 = step[at3]!;
      at0 = (way0 >> COLUMN_BITS) + Number(rows[start0 + (way0 & COLUMN_MASK)]! > number[at0]!);
      at1 = (way1 >> COLUMN_BITS) + Number(rows[start1 + (way1 & COLUMN_MASK)]! > number[at1]!);
      at2 = (way2 >> COLUMN_BITS) + Number(rows[start2 + (way2 & COLUMN_MASK)]! > number[at2]!);
      at3 = (way3 >> COLUMN_BITS) + Number(rows[start3 + (way3 & COLUMN_MASK)]! > number[at3]!);
    }
    scores[row]! += value[at0]!;
    scores[row + 1]! += value[at1]!;
    scores[row + 2]! += value[at2]!;
    scores[row + 3]! += value[at3]!;
  }
  for (let row = rest; row < to; row++)
    scores[row]! += value[findRowLeaf(tree, depth, rows, row * width)]!;
}

/** Adds the scores of a tree with one comparison. Its two leaves follow it. */
function addStump({ step, number, value }: Nodes, group: Group, scores: Float64Array): void {
  const { rows, width, from, to } = group;
  const edge = number[0]!;
  let at = from * width + (step[0]! & COLUMN_MASK);
  for (let row = from; row < to; row++) {
    scores[row]! += value[1 + Number(rows[at]! > edge)]!;
    at += width;
  }
}

/** Returns the leaf of a single row. */
function findLeaf(
  { step, number }: Nodes,
  root: number,
  rows: Float32Array,
  start: number,
): number {
  let node = root;
  for (;;) {
    const way = step[node]!;
    const left = way >> COLUMN_BITS;
    if (left === node) return node;
    node = left + Number(rows[start + (way & COLUMN_MASK)]! > number[node]!);
  }
}

/** Returns the leaf of the row that starts at `start`. */
function findRowLeaf(
  { step, number }: Nodes,
  depth: number,
  rows: Float32Array,
  start: number,
): number {
  let at = 0;
  for (let level = 0; level < depth; level++) {
    const way = step[at]!;
    at = (way >> COLUMN_BITS) + Number(rows[start + (way & COLUMN_MASK)]! > number[at]!);
  }
  return at;
}
