// Reads the value of one field within a scope. If places disagree, none is used: a wrong value is
// worse than a missing one.
import type { ProgramSource, ValueField } from "../contract/extractors/program.ts";
import { convert, type Scalar } from "./convert.ts";
import { locate, rateStrength, type Hit } from "./locate.ts";
import type { ExtractorPage, Scope } from "./extractor-page.ts";

export type FieldEvidence = {
  /** Reference in the page model; undefined for data of the page's head and scripts. */
  readonly ref?: string;
  /** The words of the page, shortened. */
  readonly text: string;
  /** Offsets of the value in the visible text of the page. */
  readonly position?: readonly [from: number, to: number];
  readonly attribute?: string;
  /** Path in the page's data. */
  readonly path?: string;
  readonly confidence: "high" | "medium";
};

export type FieldReading =
  | {
      readonly value: Scalar;
      readonly evidence: FieldEvidence;
      /** The place of the value, and its strength (rateStrength). */
      readonly source: ProgramSource;
      readonly strength: number;
    }
  | { readonly list: readonly { readonly value: Scalar; readonly evidence: FieldEvidence }[] }
  | {
      readonly missing: string;
      /** A text was found that does not fit the field's type. */
      readonly isViolation: boolean;
    };

type Reading = {
  readonly source: ProgramSource;
  readonly strength: number;
  readonly found: readonly { readonly value: Scalar; readonly hit: Hit }[];
  /** A text that did not fit the type. */
  readonly unfit: string | undefined;
};

export function listSources(field: ValueField): ProgramSource[] {
  const { path, anchor, attribute, data, take } = field;
  return [{ path, anchor, attribute, data, take }, ...(field.fallback ?? [])];
}

export function readField(field: ValueField, scope: Scope, page: ExtractorPage): FieldReading {
  const readings = listSources(field).map((source) => readSource(source, field, scope, page));
  const found = readings.filter((reading) => reading.found.length > 0);
  const single = field.many === true ? found : found.filter((reading) => isOne(reading));
  const [first] = single;
  if (first === undefined) return chooseMissing(readings, found);
  const others = single.slice(1);
  const rival = others.find(
    (other) => other.strength >= first.strength && toKey(other) !== toKey(first),
  );
  if (field.agree === true && rival !== undefined)
    return {
      missing: `its places disagree: ${toKey(first)} and ${toKey(rival)}`,
      isViolation: false,
    };
  const isAgreed = others.some((other) => toKey(other) === toKey(first));
  const isDisputed = others.some((other) => toKey(other) !== toKey(first));
  const confidence = !isDisputed && (isAgreed || first.strength === 3) ? "high" : "medium";
  const list = first.found.map(({ value, hit }) => ({
    value,
    evidence: toEvidence(hit, first.source, confidence, page),
  }));
  if (field.many === true) return { list };
  const [only] = list;
  return only === undefined
    ? { missing: "nothing stands at its places", isViolation: false }
    : { ...only, source: first.source, strength: first.strength };
}

function readSource(
  source: ProgramSource,
  field: ValueField,
  scope: Scope,
  page: ExtractorPage,
): Reading {
  const found: { value: Scalar; hit: Hit }[] = [];
  let unfit: string | undefined;
  for (const hit of locate(source, scope, page)) {
    const value = convert(hit.text, field, page);
    if (value !== undefined) found.push({ value, hit });
    else unfit ??= hit.text;
  }
  return { source, strength: rateStrength(source), found, unfit };
}

const isOne = ({ found }: Reading): boolean =>
  found.every(({ value }) => value === found[0]?.value);

const toKey = ({ found }: Reading): string =>
  JSON.stringify(
    found.length === 1 || found.every(({ value }) => value === found[0]?.value)
      ? found[0]?.value
      : found.map(({ value }) => value),
  ).slice(0, 80);

function chooseMissing(readings: readonly Reading[], found: readonly Reading[]): FieldReading {
  const [several] = found;
  if (several !== undefined)
    return {
      missing: `its place holds several values: ${several.found
        .slice(0, 3)
        .map(({ value }) => JSON.stringify(value).slice(0, 40))
        .join(", ")}`,
      isViolation: false,
    };
  // A fallback place may hold another field.
  const unfit = readings[0]?.unfit;
  return unfit === undefined
    ? { missing: "nothing stands at its places", isViolation: false }
    : { missing: `${JSON.stringify(unfit.slice(0, 60))} is not of its type`, isViolation: true };
}

const MAX_QUOTE = 300;

function toEvidence(
  { text, node, quote }: Hit,
  { attribute, data }: ProgramSource,
  confidence: FieldEvidence["confidence"],
  page: ExtractorPage,
): FieldEvidence {
  const words = quote.trim();
  const shown = words.length > MAX_QUOTE ? text.slice(0, MAX_QUOTE) : words;
  if (node === undefined)
    return { text: shown, ...(data === undefined ? {} : { path: data.path }), confidence };
  const at = attribute === undefined ? page.flat.indexOf(text, node.from) : -1;
  const isInside = at !== -1 && at + text.length <= node.to;
  return {
    ref: node.ref,
    text: shown,
    ...(isInside ? { position: [at, at + text.length] as const } : {}),
    ...(attribute === undefined ? {} : { attribute }),
    confidence,
  };
}
