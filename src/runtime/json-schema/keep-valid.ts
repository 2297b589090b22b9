// Makes a value fit its schema by removing what does not fit, never by adding anything.
import { escape, splitPointer } from "./pointer.ts";
import { validate, type SchemaFault } from "./validate.ts";

const ROUNDS = 100;
/** High enough for all faults: each list may have many members that each lack something. */
const MAX_FAULTS = 50_000;

type KeepOptions = {
  /**
   * True to keep members of a list without a required property that most of its members lack; each
   * remains a fault. By default they are removed.
   */
  readonly keepsIncomplete?: boolean;
};

/**
 * Removes the parts of a value that violate the schema, or sets them to null if only that fits.
 * Missing required values of the root remain faults, which the caller reports.
 */
export function keepValid(
  schema: Readonly<Record<string, unknown>> | undefined,
  given: unknown,
  { keepsIncomplete = false }: KeepOptions = {},
): {
  readonly value: unknown;
  readonly dropped: readonly string[];
  readonly faults: readonly string[];
} {
  if (schema === undefined) return { value: given, dropped: [], faults: [] };
  let value: unknown = given === undefined ? undefined : structuredClone(given);
  const dropped: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (value === undefined) break;
    value = withNulls(schema, value);
    // Missing values of the root remain faults; a nested object that lacks something is removed.
    const all = validate(schema, value, MAX_FAULTS).filter(
      ({ pointer, message }) => pointer !== "" || !message.startsWith(LACKS),
    );
    const faults = selectDeepest(keepsIncomplete ? withoutCommon(all, value) : all);
    if (faults.length === 0) break;
    for (const { pointer, message } of faults) dropped.push(`${pointer || "the whole"} ${message}`);
    if (faults[0]?.pointer === "") {
      value = undefined;
      break;
    }
    for (const { pointer } of faults) value = without(value, pointer);
  }
  const faults =
    value === undefined
      ? []
      : validate(schema, value).map(({ pointer, message }) => `${pointer} ${message}`.trim());
  return { value, dropped, faults };
}

const LACKS = "lacks ";

/** Faults without those of list members that lack what most members of their list lack. */
function withoutCommon(faults: readonly SchemaFault[], value: unknown): SchemaFault[] {
  const findKey = ({ pointer, message }: SchemaFault): string =>
    `${pointer.replace(/\/\d+$/, "")} ${message}`;
  const counts = new Map<string, number>();
  for (const fault of faults)
    if (fault.message.startsWith(LACKS))
      counts.set(findKey(fault), (counts.get(findKey(fault)) ?? 0) + 1);
  return faults.filter((fault) => {
    if (!fault.message.startsWith(LACKS)) return true;
    const list = getAtPointer(value, fault.pointer.replace(/\/\d+$/, ""));
    return !Array.isArray(list) || (counts.get(findKey(fault)) ?? 0) * 2 <= list.length;
  });
}

/** "8 of 9 rows lack price", for faults of the members of one list. */
export function summarizeFaults(faults: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const fault of faults) {
    const key = fault.replace(/\/\d+ lacks /, " lacks ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([fault, count]) =>
    count === 1 ? fault : fault.replace(" lacks ", `: ${count} rows lack `),
  );
}

/**
 * Returns the deepest fault at each location, because their ancestors may be valid without them.
 * List members come last to first, so that pointers stay valid during removal.
 */
function selectDeepest(faults: readonly SchemaFault[]): SchemaFault[] {
  const places = new Map<string, SchemaFault>();
  let max = 0;
  for (const fault of faults) {
    const depth = splitPointer(fault.pointer).length;
    if (depth > max) places.clear();
    max = Math.max(max, depth);
    if (depth === max && !places.has(fault.pointer)) places.set(fault.pointer, fault);
  }
  const rankPlace = ({ pointer }: SchemaFault): number => Number(splitPointer(pointer).at(-1)) || 0;
  return [...places.values()].toSorted(
    (one, other) => other.pointer.length - one.pointer.length || rankPlace(other) - rankPlace(one),
  );
}

/** Sets missing required properties that may be null to null. */
function withNulls(schema: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const tried = new Map<string, { owner: Record<string, unknown>; name: string }>();
  for (const { pointer, message } of validate(schema, value, MAX_FAULTS)) {
    if (!message.startsWith(LACKS)) continue;
    const owner = getAtPointer(value, pointer);
    const name = message.slice(LACKS.length);
    if (typeof owner !== "object" || owner === null || Array.isArray(owner)) continue;
    const trial = owner as Record<string, unknown>;
    trial[name] = null;
    tried.set(`${pointer}/${escape(name)}`, { owner: trial, name });
  }
  if (tried.size === 0) return value;
  for (const { pointer } of validate(schema, value, MAX_FAULTS)) {
    const trial = tried.get(pointer);
    if (trial !== undefined) delete trial.owner[trial.name];
  }
  return value;
}

function getAtPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of splitPointer(pointer)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

function without(value: unknown, pointer: string): unknown {
  const parts = splitPointer(pointer);
  const last = parts.pop() ?? "";
  const owner = getAtPointer(value, parts.map((part) => `/${escape(part)}`).join(""));
  if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (typeof owner === "object" && owner !== null)
    delete (owner as Record<string, unknown>)[last];
  return value;
}
