import type { Evidence, Thing, Value } from "../declared/finding.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";

const MAX_DEPTH = 8;

/** Converts a thing to plain JSON, with the evidence of every value by pointer. */
export function toPlain(thing: Thing): {
  readonly value: Record<string, unknown>;
  readonly evidence: Record<string, Evidence>;
} {
  const evidence: Record<string, Evidence> = {};
  return { value: toPlainObject(thing, "", 0), evidence };

  function toPlainObject(at: Thing, pointer: string, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> =
      at.types.length === 0 ? {} : { type: at.types.join(", ") };
    for (const [name, values] of at.fields) {
      if (name.startsWith("@") || depth > MAX_DEPTH) continue;
      const place = `${pointer}/${escape(name)}`;
      const [only] = values;
      value[name] =
        values.length === 1 && only !== undefined
          ? toPlainValue(only, place, depth)
          : values.map((each, nth) => toPlainValue(each, `${place}/${nth}`, depth));
    }
    return value;
  }

  function toPlainValue(value: Value, pointer: string, depth: number): unknown {
    if (value.kind === "thing") return toPlainObject(value, pointer, depth + 1);
    evidence[pointer] = value.evidence;
    return value.value;
  }
}
