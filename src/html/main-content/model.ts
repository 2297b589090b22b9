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

/** A model ready to be asked: answers a probability for each row of `TreeModel.features`. */
export type Predictor = {
  readonly features: readonly string[];
  readonly predict: (rows: Float32Array) => Float64Array;
};

/** Unpacks a model once. */
export function createPredictor(model: TreeModel): Predictor {
  const feature = Int16Array.from(model.feature);
  const right = Int32Array.from(model.right);
  const number = Float64Array.from(model.feature, (index, node) =>
    index < 0 ? model.values[model.edge[node]!]! : model.edges[index]![model.edge[node]!]!,
  );
  const width = model.features.length;
  const { roots, base } = model;
  const predict = (rows: Float32Array): Float64Array => {
    const count = width === 0 ? 0 : rows.length / width;
    const scores = new Float64Array(count).fill(base);
    for (const root of roots) {
      for (let row = 0; row < count; row++) {
        const start = row * width;
        let node = root;
        let asked = feature[node]!;
        while (asked >= 0) {
          node = rows[start + asked]! <= number[node]! ? node + 1 : node + right[node]!;
          asked = feature[node]!;
        }
        scores[row]! += number[node]!;
      }
    }
    return scores.map((score) => 1 / (1 + Math.exp(-score)));
  };
  return { features: model.features, predict };
}
