// Prices and attributes on the page of one product. They are short facts beside the description,
// which the model mistakes for boilerplate or for another product's.
import type { ElementFacts } from "./element-facts.ts";
import { computeMean, type Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Maximum words of a price. */
const MAX_PRICE_WORDS = 8;
/** Maximum blocks between the product's name and its price. */
const MAX_PRICE_DISTANCE = 25;
/** Minimum probability of a price, and of a table or list of attributes. */
const MIN_PRICE_PROBABILITY = 0.1;
const MIN_FACTS_PROBABILITY = 0.1;
/** Maximum words of an attribute. */
const MAX_FACT_WORDS = 25;
const MIN_FACTS = 3;
const MAX_FACTS = 120;
const OTHERS: ReadonlySet<string> = new Set(["nav", "aside", "footer", "form", "select"]);

/**
 * Keeps the price below the product's name, and tables and lists of its attributes with their
 * headings. For product pages.
 */
export function keepProductFacts(
  page: Segmentation,
  facts: ElementFacts,
  title: number,
  tables: readonly number[],
  { probabilities, verdicts }: { probabilities: Float64Array; verdicts: Verdict[] },
): void {
  keepPrice(page, title, probabilities, verdicts);
  const { nodes, blockStart, blockEnd } = page.elements;
  const lists = nodes.flatMap((node, element) => (node.name === "dl" ? [element] : []));
  for (const element of [...tables, ...lists]) {
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (to - from < MIN_FACTS || to - from > MAX_FACTS) continue;
    if (facts.linkCharacters[element]! * 2 > facts.characters[element]!) continue;
    if (facts.size[element]! > MAX_FACT_WORDS * (to - from) || isAmongOthers(page, element))
      continue;
    if (computeMean(page, probabilities, from, to) < MIN_FACTS_PROBABILITY) continue;
    const hasHeading = from > 0 && facts.level[page.blocks[from - 1]!.container]! > 0;
    for (let index = hasHeading ? from - 1 : from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
}

function keepPrice(
  { blocks }: Segmentation,
  title: number,
  probabilities: Float64Array,
  verdicts: Verdict[],
): void {
  if (title < 0) return;
  for (
    let index = title + 1;
    index <= title + MAX_PRICE_DISTANCE && index < blocks.length;
    index++
  ) {
    const { currencies, digits, size } = blocks[index]!;
    if (currencies === 0 || digits === 0 || size > MAX_PRICE_WORDS) continue;
    if (isKept(verdicts[index])) return;
    if (probabilities[index]! < MIN_PRICE_PROBABILITY) continue;
    verdicts[index] = "kept";
    return;
  }
}

function isAmongOthers({ elements: { nodes, parent } }: Segmentation, inner: number): boolean {
  for (let element = inner; element >= 0; element = parent[element]!)
    if (OTHERS.has(nodes[element]!.name)) return true;
  return false;
}
