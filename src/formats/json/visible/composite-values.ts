// Splits values of several parts whose label names each: "Dimensions (W × H × D)" with "140 × 75 ×
// 70 cm", "Net / gross weight" with "92 / 104 kg", "Open lifts" with "12/15".
import type { Pair } from "../../../page-model/pairs.ts";
import { parseName } from "../names/names.ts";
import { parseUnit } from "../values/measures.ts";
import { findUnitInLabel } from "./value-leaves.ts";
import type { NamedCell, VisibleScope } from "./visible-scope.ts";

type Part = { readonly label: string; readonly value: string };

const MAX_LABEL = 80;
const MAX_VALUE = 80;

/** The parts of a value; none if its label does not name each. */
function splitComposite(label: string, value: string): readonly Part[] {
  if (label.length > MAX_LABEL || value.length > MAX_VALUE || !/\d/.test(value)) return [];
  return (
    splitDimensions(label, value) ?? splitOpen(label, value) ?? splitAtSlash(label, value) ?? []
  );
}

/** Sides by their letters, in any order; "L" is a length only beside a width. */
const SIDES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  [
    { W: "width", H: "height", D: "depth" },
    { L: "length", W: "width", H: "height" },
    { B: "width", H: "height", T: "depth" },
    { B: "width", H: "height", D: "depth" },
    { L: "length", B: "width", H: "height" },
    { L: "width", H: "height", P: "depth" },
    { L: "width", A: "height", P: "depth" },
    { C: "length", L: "width", A: "height" },
    { Š: "width", V: "height", H: "depth" },
    { W: "width", H: "height" },
    { B: "width", H: "height" },
    { L: "length", W: "width" },
    { L: "length", B: "width" },
  ].map((sides) => [toKey(Object.keys(sides)), sides] as const),
);

function toKey(letters: readonly string[]): string {
  return letters.toSorted().join("");
}

const TIMES = /\s*[×✕xX*]\s*/u;
/** "W × H × D", "Breite x Höhe x Tiefe" at the end of a label. */
const ORDER =
  /(?<![\p{L}\d])(\p{L}{1,12}\.?(?:\s?[×✕xX*]\s?\p{L}{1,12}\.?){1,2})\s*\)?\s*(?:[([]\s*\p{L}{1,4}\s*[)\]])?$/u;
/** Sides of something else than the item. */
const OTHER_ITEM =
  /pack|ship|carton|\bbox|parcel|verpack|karton|versand|emball|colis|imball|confez|transport|fold|gefaltet/iu;
const SIDE = new Set(["width", "height", "depth", "length"]);

/** The sides that words or letters name; undefined if one is unknown. */
function readSides(names: readonly string[]): readonly string[] | undefined {
  const letters = names.map((name) => name.toUpperCase());
  const known = SIDES.get(toKey(letters));
  if (known !== undefined) return letters.map((letter) => known[letter] ?? "");
  const sides = names.map((name) => [...parseName(name).concepts].find((each) => SIDE.has(each)));
  const named = sides.filter((side) => side !== undefined);
  return new Set(named).size === names.length ? named : undefined;
}

const LENGTH =
  /^(\p{L})?[.:]?\s*(\d[\d.,\s]{0,8}?)\s*(mm|cm|dm|m|in|inch|inches|ft|″|")?\s*(\p{L})?$/u;

function splitDimensions(label: string, value: string): readonly Part[] | undefined {
  if (OTHER_ITEM.test(label)) return undefined;
  const parts = value
    .trim()
    .split(TIMES)
    .map((part) => LENGTH.exec(part.trim()));
  if (parts.length < 2 || parts.length > 3 || parts.includes(null)) return undefined;
  const [, order] = ORDER.exec(label) ?? [];
  const core = (order === undefined ? label : label.slice(0, label.lastIndexOf(order)))
    .replace(/[([\s]+$/u, "")
    .trim();
  if (core !== "" && !parseName(core).concepts.has("dimensions")) return undefined;
  const letters = parts.map((part) => part?.[1] ?? part?.[4] ?? "");
  const sides = readSides(
    letters.some((letter) => letter !== "") ? letters : (order?.split(TIMES) ?? []),
  );
  const shared = parts.at(-1)?.[3] ?? findUnitInLabel(label);
  if (sides?.length !== parts.length || parseUnit(shared) === undefined) return undefined;
  return parts.map((part, at) => ({
    label: sides[at] ?? "",
    value: `${part?.[2]?.trim() ?? ""} ${part?.[3] ?? shared}`,
  }));
}

const OPEN =
  /(?<!\p{L})(?:open(?:ed|ing)?|in operation|geöffnete?|offene?|in betrieb|ouvert(?:e?s|ures?|e)?|abiert[oa]s?|apert[oiae]|abert[oa]s?|geopende?|otwart[eya]|czynne|öppn[ae]|åbne|åpne|otevřen[éo]|v provozu|открыто|открытые)(?!\p{L})/giu;
const OPEN_OF_TOTAL =
  /^(\d{1,4})\s?(?:\/|of|von|sur|de|di|van|av|af|z)\s?(\d{1,4})(?:\s?\p{L}{2,12})?$/iu;

/** "12/15" of "Open lifts": the open ones and all. */
function splitOpen(label: string, value: string): readonly Part[] | undefined {
  const [, open = "", all = ""] = OPEN_OF_TOTAL.exec(value.trim()) ?? [];
  const things = label.replaceAll(OPEN, " ").replace(/\s+/gu, " ").trim();
  if (open === "" || things === "" || things === label || Number(open) > Number(all))
    return undefined;
  return [
    { label: `open ${things}`, value: open },
    { label: `total ${things}`, value: all },
  ];
}

const TWO_NUMBERS =
  /^([-−–+]?\d[\d.,]*(?:\s\d{3})?)\s*([\p{L}°%][\p{L}°%²³]{0,4})?\s+\/\s+([-−–+]?\d[\d.,]*(?:\s\d{3})?)\s*([\p{L}°%][\p{L}°%²³]{0,4})?$/u;
const BOUND = /^(?:min|max|minimum|maximum)\.?$/iu;
const NAME = /^\p{L}{3,24}\.?$/u;
const UNIT_IN_BRACKETS = /\s*[([][^()[\]]{1,12}[)\]]\s*$/u;

function splitAtSlash(label: string, value: string): readonly Part[] | undefined {
  const [, one = "", oneUnit, other = "", otherUnit = ""] = TWO_NUMBERS.exec(value.trim()) ?? [];
  const unit = UNIT_IN_BRACKETS.exec(label)?.[0] ?? "";
  const names = splitNames(label.slice(0, label.length - unit.length).trim());
  if (one === "" || names === undefined) return undefined;
  return [
    { label: `${names[0]}${unit}`, value: `${one} ${oneUnit ?? otherUnit}`.trim() },
    { label: `${names[1]}${unit}`, value: `${other} ${otherUnit}`.trim() },
  ];
}

/** "Net / gross weight" are the net weight and the gross weight; undefined where that is open. */
function splitNames(label: string): readonly [string, string] | undefined {
  const [left = [], right = [], ...more] = label
    .split("/")
    .map((side) => side.split(/\s+/u).filter((word) => word !== ""));
  const [first = "", second = ""] = [left.at(-1), right[0]];
  if (more.length > 0 || !NAME.test(first) || !NAME.test(second)) return undefined;
  const fold = (word = ""): string => word.toLowerCase();
  const isRepeated = fold(left.at(-1)) === fold(right.at(-1)) || fold(left[0]) === fold(right[0]);
  if (isRepeated) return [left.join(" "), right.join(" ")];
  const [before, behind] = [left.slice(0, -1), right.slice(1)];
  const isBound = BOUND.test(first) && BOUND.test(second);
  // In "Minimum order / delivery time" either word may belong to both.
  if (!isBound && before.length + behind.length > 1) return undefined;
  const join = (name: string): string => [...before, name, ...behind].join(" ");
  return [join(first), join(second)];
}

const pairsOf = new WeakMap<VisibleScope, readonly Pair[]>();

/** Labels and values of the parts of a scope's composite values. */
export function listCompositePairs(scope: VisibleScope): readonly Pair[] {
  let known = pairsOf.get(scope);
  if (known === undefined) {
    known = scope.pairs.flatMap((pair) =>
      splitComposite(pair.label, pair.value).map((part) => ({ ...pair, ...part })),
    );
    pairsOf.set(scope, known);
  }
  return known;
}

/** The same for the cells of a row. */
export const splitCompositeCells = (cells: readonly NamedCell[]): readonly NamedCell[] =>
  cells.flatMap(({ name, cell }) =>
    splitComposite(name, cell.text).map(({ label, value }) => ({
      name: label,
      cell: { ...cell, text: value },
    })),
  );
