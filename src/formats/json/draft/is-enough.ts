// Decides whether the values found by rules are certain enough to skip the model.
import { readShape, type Shape } from "../../../runtime/json-schema/shape.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import { isObject } from "../../../runtime/is-object.ts";
import type { JsonDraft, JsonTask } from "./json-draft.ts";

/**
 * True if the caller gave no prompt and every required field has strong evidence at a place that
 * has the field's name; without `required`, every field. A synonym may mean another thing: "note"
 * is a rating in French.
 */
export function isEnough({ schema, prompt = "" }: JsonTask, draft: JsonDraft): boolean {
  if (schema === undefined || prompt.trim() !== "" || draft.dropped.length > 0) return false;
  return isFilled(readShape(schema), draft.value, "", new Set(draft.exact));
}

function isFilled(
  shape: Shape,
  value: unknown,
  pointer: string,
  exact: ReadonlySet<string>,
): boolean {
  if (shape.kind === "array")
    return (
      Array.isArray(value) &&
      value.length > 0 &&
      shape.items !== undefined &&
      (value as unknown[]).every((item, at) =>
        isFilled(shape.items as Shape, item, `${pointer}/${at}`, exact),
      )
    );
  if (shape.kind !== "object") return exact.has(pointer);
  if (!isObject(value)) return false;
  const names = shape.required.size > 0 ? [...shape.required] : [...shape.properties.keys()];
  return (
    names.length > 0 &&
    names.every((name) => {
      const property = shape.properties.get(name);
      return (
        property !== undefined &&
        isFilled(property, value[name], `${pointer}/${escape(name)}`, exact)
      );
    })
  );
}
