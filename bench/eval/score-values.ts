// Compares extracted values with the truth of a task, value by value.

export type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};
/**
 * `missing`: the truth has a value, none was given. `invented`: the truth is null. `silent`:
 * rightly not given.
 */
export type Verdict = "right" | "missing" | "wrong" | "invented" | "silent";
export type ValueFinding = {
  readonly path: string;
  readonly verdict: Verdict;
  readonly truth: unknown;
  readonly given: unknown;
};

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const getType = ({ type }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((one: string) => one !== "null") : (type as string | undefined);

/** The values a truth accepts: `{"$oneOf": […]}` lists several. */
const listAlternatives = (truth: unknown): readonly unknown[] =>
  isRow(truth) && Array.isArray(truth["$oneOf"]) ? truth["$oneOf"] : [truth];

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0);

/** Composes accents, drops invisible characters and collapses all kinds of spaces; case stays. */
export const normalizeText = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^[-+]?\d+(?:\.\d+)?$/.test(value.trim())
    ? Number(value)
    : Number.NaN;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;

function isSameTime(truth: string, given: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(given)) return false;
  if (ISO_DATE.test(truth) || ISO_DATE.test(given))
    return truth.slice(0, 10) === given.slice(0, 10);
  if (HAS_ZONE.test(truth) && HAS_ZONE.test(given)) return Date.parse(truth) === Date.parse(given);
  return truth.slice(0, 16) === given.slice(0, 16);
}

function isSameUrl(truth: string, given: string, base: string): boolean {
  const one = URL.parse(truth, base)?.href.replace(/\/$/, "");
  return one !== undefined && one === URL.parse(given, base)?.href.replace(/\/$/, "");
}

function isSame(schema: Schema, truth: unknown, given: unknown, base: string): boolean {
  if (typeof truth === "number")
    return Math.abs(toNumber(given) - truth) <= 1e-9 * Math.max(1, Math.abs(truth));
  if (typeof truth === "boolean") return given === truth || given === String(truth);
  if (typeof truth !== "string") return false;
  if (typeof given !== "string" && typeof given !== "number") return false;
  const [one, other] = [normalizeText(truth), normalizeText(String(given))];
  // Links are given as absolute addresses; truths are paths of the page.
  const isLink = schema.format === "uri" || (/^\/\S*$/.test(one) && /^https?:/.test(other));
  if (isLink) return isSameUrl(one, other, base);
  // A date requested without time also matches a date with time: some pages and clients have no
  // other.
  if (schema.format === "date") return isSameTime(one.slice(0, 10), other);
  if (schema.format === "date-time") return isSameTime(one, other);
  return one === other;
}

function judgeScalar(
  schema: Schema,
  truth: unknown,
  given: unknown,
  path: string,
  base: string,
): ValueFinding {
  const accepted = listAlternatives(truth);
  const mayBeAbsent = accepted.includes(null);
  const verdict = isNothing(given)
    ? mayBeAbsent
      ? "silent"
      : "missing"
    : accepted.some((one) => isSame(schema, one, given, base))
      ? "right"
      : mayBeAbsent && accepted.length === 1
        ? "invented"
        : "wrong";
  return { path, verdict, truth, given };
}

/** Lists of plain values: each value is used once, order does not count. */
function judgeScalars(
  schema: Schema,
  truth: unknown,
  given: unknown,
  path: string,
  base: string,
): ValueFinding[] {
  const readings = listAlternatives(truth);
  if (readings.length > 1) {
    const [best = []] = readings
      .map((one) => judgeScalars(schema, one, given, path, base))
      .toSorted((one, other) => countFaults(one) - countFaults(other));
    return best;
  }
  const left = isNothing(given) ? [] : Array.isArray(given) ? given.slice() : [given];
  const findings: ValueFinding[] = [];
  const wanted = Array.isArray(truth) ? truth : [];
  for (const one of wanted) {
    const at = left.findIndex((each) =>
      listAlternatives(one).some((accepted) => isSame(schema, accepted, each, base)),
    );
    const [found] = at === -1 ? [] : left.splice(at, 1);
    findings.push({ path, verdict: at === -1 ? "missing" : "right", truth: one, given: found });
  }
  for (const each of left)
    findings.push({
      path,
      verdict: wanted.length === 0 ? "invented" : "wrong",
      truth: wanted.length === 0 ? null : wanted,
      given: each,
    });
  if (findings.length === 0) findings.push({ path, verdict: "silent", truth: null, given });
  return findings;
}

const countFaults = (findings: readonly ValueFinding[]): number =>
  findings.filter(({ verdict }) => verdict !== "right" && verdict !== "silent").length;

const countRight = (findings: readonly ValueFinding[]): number =>
  findings.filter(({ verdict }) => verdict === "right").length;

/**
 * Pairs records with the truth's, those with most right values first; what is left over is missing
 * or invented.
 */
function judgeRecords(
  schema: Schema,
  truth: unknown,
  given: unknown,
  path: string,
  base: string,
): ValueFinding[] {
  const wanted: readonly unknown[] = Array.isArray(truth) ? truth : [];
  const found: readonly unknown[] = Array.isArray(given)
    ? given.filter((one) => isRow(one))
    : isRow(given)
      ? [given]
      : [];
  const pairs = wanted
    .flatMap((one, i) =>
      found.map((other, j) => {
        const findings = judgeValue(schema, one, other, `${path}[${i}]`, base);
        return { i, j, findings, right: countRight(findings) };
      }),
    )
    .filter(({ right }) => right > 0)
    .toSorted(
      (one, other) =>
        other.right - one.right || Math.abs(one.i - one.j) - Math.abs(other.i - other.j),
    );
  const taken = { wanted: new Set<number>(), found: new Set<number>() };
  const findings: ValueFinding[] = [];
  for (const pair of pairs) {
    if (taken.wanted.has(pair.i) || taken.found.has(pair.j)) continue;
    taken.wanted.add(pair.i);
    taken.found.add(pair.j);
    findings.push(...pair.findings);
  }
  for (const [i, one] of wanted.entries())
    if (!taken.wanted.has(i))
      findings.push(...judgeValue(schema, one, undefined, `${path}[${i}]`, base));
  for (const [j, other] of found.entries())
    if (!taken.found.has(j))
      findings.push(
        ...judgeValue(schema, undefined, other, `${path}[+${j}]`, base).filter(
          ({ verdict }) => verdict !== "silent",
        ),
      );
  return findings;
}

function judgeValue(
  schema: Schema,
  truth: unknown,
  given: unknown,
  path: string,
  base: string,
): ValueFinding[] {
  const type = getType(schema);
  if (type === "object")
    return Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
      judgeValue(
        part,
        isRow(truth) ? truth[name] : null,
        isRow(given) ? given[name] : undefined,
        path === "" ? name : `${path}.${name}`,
        base,
      ),
    );
  if (type !== "array") return [judgeScalar(schema, truth ?? null, given, path, base)];
  const items = schema.items ?? {};
  return getType(items) === "object"
    ? judgeRecords(items, truth, given, path, base)
    : judgeScalars(items, truth, given, path, base);
}

/**
 * One finding for each value of the truth and for each value given beyond it. `base` resolves
 * relative URLs.
 */
export const judge = (
  schema: Schema,
  truth: unknown,
  given: unknown,
  base: string,
): ValueFinding[] => judgeValue(schema, truth, given, "", base);

export type Tally = Readonly<Record<Verdict, number>>;

export function countFindings(findings: readonly ValueFinding[]): Tally {
  const counts = { right: 0, missing: 0, wrong: 0, invented: 0, silent: 0 };
  for (const { verdict } of findings) counts[verdict] += 1;
  return counts;
}

/** Right values among those given. */
export const computePrecision = ({ right, wrong, invented }: Tally): number =>
  right / (right + wrong + invented);
/** Right values among those the truth has. */
export const computeRecall = ({ right, wrong, missing }: Tally): number =>
  right / (right + wrong + missing);
