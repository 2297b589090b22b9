// Makes a value fit its schema by leaving out what does not, never by putting something in.
import { escape, partsOf } from "./pointer.ts";
import { validate } from "./validate.ts";

const ROUNDS = 100;

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
    const faults = validate(schema, value).filter(
      ({ pointer, message }) => pointer !== "" || !message.startsWith("lacks "),
    );
    const [fault] = faults.toSorted((one, other) => other.pointer.length - one.pointer.length);
    if (fault === undefined) break;
    dropped.push(`${fault.pointer || "the whole"} ${fault.message}`);
    if (fault.pointer === "") {
      value = undefined;
      break;
    }
    value = without(value, fault.pointer);
  }
  const faults =
    value === undefined
      ? []
      : validate(schema, value).map(({ pointer, message }) => `${pointer} ${message}`.trim());
  return { value, dropped, faults };
}

/** Required properties that are missing and may be null are null. */
function withNulls(schema: Readonly<Record<string, unknown>>, value: unknown): unknown {
  for (const { pointer, message } of validate(schema, value)) {
    if (!message.startsWith("lacks ")) continue;
    const owner = at(value, pointer);
    const name = message.slice("lacks ".length);
    if (typeof owner !== "object" || owner === null || Array.isArray(owner)) continue;
    const trial = owner as Record<string, unknown>;
    trial[name] = null;
    const place = `${pointer}/${escape(name)}`;
    if (validate(schema, value).some((fault) => fault.pointer === place)) delete trial[name];
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
