// Makes a value fit its schema by leaving out what does not, never by putting something in.
import { escape, partsOf } from "./pointer.ts";
import { validate, type SchemaFault } from "./validate.ts";

const ROUNDS = 100;
/** All there are: each list may have many members, and each of them may lack something. */
const MAX_FAULTS = 50_000;

/**
 * The value without the parts that the schema faults: each is left out, or null where only that fits. What the schema
 * demands and nothing was found for stays a fault, which the caller tells.
 */
export function keepValid(
  schema: Readonly<Record<string, unknown>> | undefined,
  given: unknown,
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
    // What the whole lacks stays a fault; a part that lacks something is left out itself.
    const faults = deepest(
      validate(schema, value, MAX_FAULTS).filter(
        ({ pointer, message }) => pointer !== "" || !message.startsWith("lacks "),
      ),
    );
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

/**
 * The faults that lie deepest, one for each place: what is around them may be good without them. Members of a list come from
 * the last to the first, so that the others stay where their pointers say while one after the other goes.
 */
function deepest(faults: readonly SchemaFault[]): SchemaFault[] {
  const places = new Map<string, SchemaFault>();
  let most = 0;
  for (const fault of faults) {
    const depth = partsOf(fault.pointer).length;
    if (depth > most) places.clear();
    most = Math.max(most, depth);
    if (depth === most && !places.has(fault.pointer)) places.set(fault.pointer, fault);
  }
  const place = ({ pointer }: SchemaFault): number => Number(partsOf(pointer).at(-1)) || 0;
  return [...places.values()].toSorted(
    (one, other) => other.pointer.length - one.pointer.length || place(other) - place(one),
  );
}

/** Required properties that are missing and may be null are null. */
function withNulls(schema: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const tried = new Map<string, { owner: Record<string, unknown>; name: string }>();
  for (const { pointer, message } of validate(schema, value, MAX_FAULTS)) {
    if (!message.startsWith("lacks ")) continue;
    const owner = at(value, pointer);
    const name = message.slice("lacks ".length);
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

function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of partsOf(pointer)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

function without(value: unknown, pointer: string): unknown {
  const parts = partsOf(pointer);
  const last = parts.pop() ?? "";
  const owner = at(value, parts.map((part) => `/${escape(part)}`).join(""));
  if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (typeof owner === "object" && owner !== null)
    delete (owner as Record<string, unknown>)[last];
  return value;
}
