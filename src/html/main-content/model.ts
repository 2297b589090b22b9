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

/** Rows that are asked about together. More of them are less alike, fewer of them do not repay the cutting. */
const TOGETHER = 64;

/**
 * Unpacks a model once. `columns` names what the rows hold; a model that asks for something else throws a RangeError, because
 * then the model and the code do not belong together.
 */
export function createPredictor(model: TreeModel, columns: readonly string[]): Predictor {
  const forest = unpack(model, columns);
  const width = columns.length;
  const cut = newTree(model.feature.length);
  const spans = { lowest: new Float32Array(width), highest: new Float32Array(width) };
  return (rows) => {
    const scores = new Float64Array(rows.length / width).fill(model.base);
    for (let from = 0; from < scores.length; from += TOGETHER) {
      const group = { rows, width, from, to: Math.min(from + TOGETHER, scores.length) };
      if (group.to - from === 1) {
        for (const root of forest.roots)
          scores[from]! += forest.value[arrive(forest, root, rows, from * width)]!;
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

/** Rows side by side in a document, of which `from` up to `to` are meant. */
type Group = {
  readonly rows: Float32Array;
  readonly width: number;
  readonly from: number;
  readonly to: number;
};

/** The least and the greatest number in each column of a group. What is no number counts as the least, as the trees take it. */
type Spans = { readonly lowest: Float32Array; readonly highest: Float32Array };

/**
 * Nodes as columns, the two children of a node side by side. `step` is the left child and the column to compare with; a leaf is
 * its own left child and nothing is above its `number`, so that whoever has arrived stays there.
 */
type Nodes = {
  readonly step: Int32Array;
  readonly number: Float32Array;
  readonly value: Float32Array;
};
type Forest = Nodes & { readonly roots: Int32Array };

const newNodes = (count: number): Nodes => ({
  step: new Int32Array(count),
  number: new Float32Array(count),
  value: new Float32Array(count),
});

/**
 * A tree that is made anew for each group of rows; `source` says which node of the forest each of its nodes is, `level` how far
 * from the root it is.
 */
type CutTree = Nodes & { readonly source: Int32Array; readonly level: Int32Array };

const newTree = (most: number): CutTree => ({
  ...newNodes(most),
  source: new Int32Array(most),
  level: new Int32Array(most),
});

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
  const { step, number, value } = newNodes(count);
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
 * Copies what a tree asks a group of rows, without the questions that all of them answer alike; answers how many questions follow each other.
 * Much is the same for a whole page, and more for a part of it: of seven questions a tree, one or two are left.
 */
function cutTree(forest: Forest, root: number, spans: Spans, cut: CutTree): number {
  const { step, number, value, source, level } = cut;
  level[0] = 0;
  source[0] = firstOpen(forest, root, spans);
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
    source[count] = firstOpen(forest, left, spans);
    source[count + 1] = firstOpen(forest, left + 1, spans);
    level[count] = level[at]! + 1;
    level[count + 1] = level[at]! + 1;
    count += 2;
  }
  return level[count - 1]!;
}

/** The first node from this one down at which the rows of a group part, or the leaf they all come to. */
function firstOpen({ step, number }: Forest, from: number, { lowest, highest }: Spans): number {
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
 * Adds to the scores of a group what one tree says. Which child comes next is computed, since no processor can guess it, and four
 * rows go side by side, so that one's waiting is another one's work.
 */
function addTree(tree: Nodes, depth: number, group: Group, scores: Float64Array): void {
  const { rows, width, from, to } = group;
  const { step, number, value } = tree;
  if (depth === 0) {
    for (let row = from; row < to; row++) scores[row]! += value[0]!;
    return;
  }
  if (depth === 1) {
    addQuestion(tree, group, scores);
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
    scores[row]! += value[leafOf(tree, depth, rows, row * width)]!;
}

/** Adds what a tree of one question says: its answers are the two nodes behind it. */
function addQuestion({ step, number, value }: Nodes, group: Group, scores: Float64Array): void {
  const { rows, width, from, to } = group;
  const edge = number[0]!;
  let at = from * width + (step[0]! & COLUMN_MASK);
  for (let row = from; row < to; row++) {
    scores[row]! += value[1 + Number(rows[at]! > edge)]!;
    at += width;
  }
}

/** The leaf to which a row comes that is asked alone. */
function arrive({ step, number }: Nodes, root: number, rows: Float32Array, start: number): number {
  let node = root;
  for (;;) {
    const way = step[node]!;
    const left = way >> COLUMN_BITS;
    if (left === node) return node;
    node = left + Number(rows[start + (way & COLUMN_MASK)]! > number[node]!);
  }
}

/** Where the row that begins at `start` ends up. */
function leafOf({ step, number }: Nodes, depth: number, rows: Float32Array, start: number): number {
  let at = 0;
  for (let level = 0; level < depth; level++) {
    const way = step[at]!;
    at = (way >> COLUMN_BITS) + Number(rows[start + (way & COLUMN_MASK)]! > number[at]!);
  }
  return at;
}
