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

/** Nodes as columns, the two children of a node side by side. `child` is the left one, -1 at a leaf, whose value is in `number`. */
type Forest = {
  readonly roots: Int32Array;
  readonly column: Uint16Array;
  readonly number: Float32Array;
  readonly child: Int32Array;
};

function unpack(model: TreeModel, columns: readonly string[]): Forest {
  const columnOf = model.features.map((name) => {
    const column = columns.indexOf(name);
    if (column < 0) throw new RangeError(`the model asks for the unknown feature ${name}`);
    return column;
  });
  const count = model.feature.length;
  const column = new Uint16Array(count);
  const number = new Float32Array(count);
  const child = new Int32Array(count).fill(-1);
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
        number[at] = model.values[model.edge[node]!]!;
        continue;
      }
      column[at] = columnOf[asked]!;
      number[at] = model.edges[asked]![model.edge[node]!]!;
      child[at] = next;
      open.push(node + 1, node + model.right[node]!);
      next += 2;
    }
    return first;
  });
  return { roots, column, number, child };
}

/** Adds to the scores of a range of rows what each tree says. */
function addTrees(
  { roots, column, number, child }: Forest,
  rows: Float32Array,
  width: number,
  scores: Float64Array,
  from: number,
  to: number,
): void {
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree]!;
    for (let row = from; row < to; row++) {
      const start = row * width;
      let node = root;
      for (let left = child[node]!; left >= 0; left = child[node]!)
        node = rows[start + column[node]!]! <= number[node]! ? left : left + 1;
      scores[row]! += number[node]!;
    }
  }
}
