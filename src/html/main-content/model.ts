// Boosted trees that give every block the probability of belonging to the main content. The trees are data: model.json, made by
// scripts/train-main-content.ts.

/** Trees as flat columns. A node's left child follows it; `right` is the way to the other. A node with feature -1 is a leaf whose `edge` points into `values`. */
export type TreeModel = {
  /** Names of the features, in the order a row must have. */
  readonly features: readonly string[];
  /** For each feature the values a node may compare with. */
  readonly edges: readonly (readonly number[])[];
  /** Log odds before the first tree. */
  readonly base: number;
  readonly roots: readonly number[];
  readonly feature: readonly number[];
  readonly edge: readonly number[];
  readonly right: readonly number[];
  readonly values: readonly number[];
};

/** A model ready to be asked: answers a probability for each row. */
export type Predictor = (rows: Float32Array) => Float64Array;

/** Rows that are taken through a tree together, so that the tree stays in the processor's nearest cache. */
const TOGETHER = 64;
/**
 * Unpacks a model once. `columns` names what the rows hold; a model that asks for something else throws a RangeError, because
 * then the model and the code do not belong together.
 */
export function createPredictor(model: TreeModel, columns: readonly string[]): Predictor {
  const forest = unpack(model, columns);
  const width = columns.length;
  return (rows) => {
    const scores = new Float64Array(rows.length / width).fill(model.base);
    for (let from = 0; from < scores.length; from += TOGETHER)
      addTrees(forest, rows, width, scores, from, Math.min(from + TOGETHER, scores.length));
    for (let row = 0; row < scores.length; row++) scores[row] = 1 / (1 + Math.exp(-scores[row]!));
    return scores;
  };
}

/**
 * Nodes as columns, the two children of a node side by side. `step` is the left child and the column to compare with; a leaf is
 * its own left child and nothing is above its `number`, so that whoever has arrived stays there.
 */
type Forest = {
  readonly roots: Int32Array;
  readonly step: Int32Array;
  readonly number: Float32Array;
  readonly value: Float32Array;
};

/** Bits of a step that hold the column. */
const COLUMN_BITS = 10;
const COLUMN_MASK = 2 ** COLUMN_BITS - 1;

function unpack(model: TreeModel, columns: readonly string[]): Forest {
  const columnOf = model.features.map((name) => {
    const column = columns.indexOf(name);
    if (column < 0) throw new RangeError(`the model asks for the unknown feature ${name}`);
    return column;
  });
  const count = model.feature.length;
  if (columns.length > COLUMN_MASK || count >= 2 ** (31 - COLUMN_BITS))
    throw new RangeError("the model is too large");
  const step = new Int32Array(count);
  const number = new Float32Array(count);
  const value = new Float32Array(count);
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
      step[at] = (next << COLUMN_BITS) | columnOf[asked]!;
      open.push(node + 1, node + model.right[node]!);
      next += 2;
    }
    return first;
  });
  return { roots, step, number, value };
}

/** Adds to the scores of a range of rows what each tree says. */
function addTrees(
  forest: Forest,
  rows: Float32Array,
  width: number,
  scores: Float64Array,
  from: number,
  to: number,
): void {
  const { roots, value } = forest;
  const rest = to - ((to - from) % 4);
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree]!;
    addTree(forest, root, rows, width, scores, from, rest);
    for (let row = rest; row < to; row++)
      scores[row]! += value[leafOf(forest, root, rows, row * width)]!;
  }
}

/**
 * Adds what one tree says of whole fours of rows. Which child comes next is computed, since no processor can guess it, and four
 * rows go side by side, so that one's waiting is another one's work. Places only grow on the way: a sum that stays has arrived.
 */
function addTree(
  { step, number, value }: Forest,
  root: number,
  rows: Float32Array,
  width: number,
  scores: Float64Array,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row += 4) {
    const start0 = row * width;
    const start1 = start0 + width;
    const start2 = start1 + width;
    const start3 = start2 + width;
    let at0 = root;
    let at1 = root;
    let at2 = root;
    let at3 = root;
    let sum = 0;
    for (let before = -1; before !== sum; sum = at0 + at1 + at2 + at3) {
      before = sum;
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
}

/** Where the row that begins at `start` ends up. */
function leafOf({ step, number }: Forest, root: number, rows: Float32Array, start: number): number {
  let at = root;
  for (let before = -1; before !== at;) {
    before = at;
    const way = step[at]!;
    at = (way >> COLUMN_BITS) + Number(rows[start + (way & COLUMN_MASK)]! > number[at]!);
  }
  return at;
}
