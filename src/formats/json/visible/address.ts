// Reads the parts of a postal address: street, postal code, town. An address is certain where a line
// with a street and a house number stands before a postal code with a town, or both are in one line.
import type { PageNode } from "../../../page-model/node.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

export type AddressPart = "street" | "postalCode" | "city" | "region" | "whole";

type Address = {
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  readonly region: string;
  readonly whole: string;
  readonly node: PageNode;
};

const TOWN = String.raw`\p{Lu}[\p{L}.'’-]{1,30}(?:[ -](?:\p{L}[\p{L}.'’-]{0,20}|\([\p{L} .]{1,20}\))){0,4}`;
/** 34123 Kassel, D-34123 Kassel, 3072 AP Rotterdam, 80-831 Gdańsk, 114 55 Stockholm. */
const CODE_FIRST = new RegExp(
  String.raw`^(?:[A-Z]{1,3}[- ])?(\d{5}|\d{4}(?:\s?[A-Z]{2})?|\d{2}-\d{3}|\d{3}\s\d{2}|\d{3}-\d{4}|\d{4}-\d{3})\s+(${TOWN})$`,
  "u",
);
/** Bristol BS1 4QA. */
const CODE_LAST_UK = new RegExp(
  String.raw`^(?:(${TOWN})\s)?([A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})$`,
  "u",
);
/** The part of a Danish town: "Aarhus C", "København NV". */
const DISTRICT = /\s(?:[CKNSVØ]|NV|SV|SØ|NØ)$/u;
/** VT 05401, Glenelg SA 5045. */
const CODE_LAST = new RegExp(
  String.raw`^(?:(${TOWN})\s)?(A[CLKRZ]T?|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]T?|O[HKR]|PA|RI|S[ACD]|T[NX]|UT|V[AT]|W[AIVY]|NSW|VIC|QLD|TAS)\s(\d{4,5}(?:-\d{4})?)$`,
  "u",
);
/** "Lilienthalstraße 8", "14 Quay Road", "7 bis chemin des Tuileries", "Brinkgreverweg 112-A". */
const STREET =
  /^(?:\p{L}[\p{L}\p{M}.'’\s-]{2,45}\s\d{1,4}\s?\p{L}?(?:\s?[-–/]\s?[\d\p{L}]{1,5})?|\d{1,5}(?:\s?[-–/]\s?\d{1,4})?\p{L}?(?:\sbis)?,?\s\p{L}[\p{L}\p{M}\d.'’\s-]{3,45})$/u;
const MONTH_OR_UNIT =
  /(?:^|\s)(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|ma[yi]|jun[ei]?|jul[yi]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|km|kg|min(?:utes?)?|h|people|items|results|reviews)\.?(?:\s|$)/iu;

type Line = { readonly text: string; readonly node: PageNode; readonly index: number };

const addresses = new WeakMap<VisibleScope, readonly Address[]>();

/** The addresses of a scope. */
function listAddresses(scope: VisibleScope): readonly Address[] {
  const known = addresses.get(scope);
  if (known !== undefined) return known;
  const found = readAddresses(scope);
  addresses.set(scope, found);
  return found;
}

const MAX_PIECE = 200;
const MAX_PIECES = 4_000;

function readAddresses(scope: VisibleScope): Address[] {
  const lines: Line[] = [];
  for (const [index, node] of scope.pieces.slice(0, MAX_PIECES).entries()) {
    if (node.to - node.from > MAX_PIECE) continue;
    for (const line of scope.model.textOf(node).split("\n"))
      for (const part of stripLabel(line).split(/\s*[,·•|]\s*/u))
        if (part !== "") lines.push({ text: part, node, index });
  }
  const found: Address[] = [];
  for (const [at, line] of lines.entries()) {
    const place = placeIn(line.text, lines[at - 1]?.text ?? "");
    if (place === undefined) continue;
    const before = lines[at - 1 - place.taken];
    // The street is in the same piece or in the one before.
    if (before === undefined || line.index - before.index > 1 || !isStreet(before.text)) continue;
    const taken = lines.slice(at - place.taken, at + 1).map(({ text }) => text);
    const above = UNIT.test(before.text) ? lines[at - 2 - place.taken] : undefined;
    const street =
      above !== undefined && isStreet(above.text) ? [above.text, before.text] : [before.text];
    found.push({
      ...place,
      street: street.join(", "),
      whole: [...street, ...taken].join(", "),
      node: line.node,
    });
  }
  return found;
}

/** The parts of a postal address in lines or between commas; undefined if they are not certain. */
export function parseAddress(
  text: string,
): Pick<Address, "street" | "postalCode" | "city" | "region"> | undefined {
  const lines = text
    .split(/\s*[\n,]\s*/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  for (const [at, line] of lines.entries()) {
    const place = placeIn(line, lines[at - 1] ?? "");
    const street = place === undefined ? undefined : lines[at - 1 - place.taken];
    if (place === undefined || street === undefined || !isStreet(street)) continue;
    return { street, postalCode: place.postalCode, city: place.city, region: place.region };
  }
  return undefined;
}

/** Part of a building, behind the street: "Apt 304". */
const UNIT = /^(?:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|#)\.?\s?[\dA-Z]/i;

const isStreet = (text: string): boolean => STREET.test(text) && !MONTH_OR_UNIT.test(text);

/** "Address: 14 Quay Road" without its label. */
const stripLabel = (line: string): string =>
  line.replace(/^\p{L}[\p{L} ]{2,24}[:：]\s*/u, "").trim();

type Place = Pick<Address, "postalCode" | "city" | "region"> & {
  /** Parts before this one that belong to it: the town before its postal code. */
  readonly taken: number;
};

function placeIn(text: string, before: string): Place | undefined {
  const first = CODE_FIRST.exec(text);
  if (first !== null && !/^(?:19|20)\d\d$/.test(first[1] ?? ""))
    return {
      postalCode: first[1] ?? "",
      city: (first[2] ?? "").replace(DISTRICT, ""),
      region: "",
      taken: 0,
    };
  const british = CODE_LAST_UK.exec(text);
  const [, city, code] = british ?? [];
  const other = CODE_LAST.exec(text);
  const town = city ?? other?.[1];
  const postalCode = code ?? other?.[3];
  if (postalCode === undefined) return undefined;
  const region = other?.[2] ?? "";
  if (town !== undefined) return { postalCode, city: town, region, taken: 0 };
  return /^\p{Lu}[\p{L} .'’-]{1,40}$/u.test(before)
    ? { postalCode, city: before, region, taken: 1 }
    : undefined;
}

/** A part of the only address of a scope. */
export function findAddress(scope: VisibleScope, part: AddressPart): VisibleAnswer | undefined {
  const found = listAddresses(scope);
  const [first] = found;
  if (first === undefined) return undefined;
  if (new Set(found.map(({ whole }) => whole)).size > 1)
    return { reason: "the page shows several addresses" };
  const value = first[part];
  if (value === "") return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, first.node, value, "list", first.whole)],
      confidence: "medium",
      node: first.node,
    },
  };
}
