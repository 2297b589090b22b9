// Keeps a model from repeating itself: the second identical call gets a notice, the third is
// refused.
import type { ToolCall } from "../../models/model.ts";
import type { CheckedCall } from "./tools.ts";

export const REPEATED =
  "You made this same call before. Use what it brought, or call something else; the next repetition is refused.";
const REFUSED =
  "Refused: this same call was made twice already and brings nothing new. Use what you have, try another way, or finish.";

export class CallGuard {
  readonly #counts = new Map<string, number>();
  readonly #keys = new Map<ToolCall, string>();

  /** Returns a text to answer a refused call with, or whether the call is a repetition. */
  check(checked: CheckedCall): { readonly refusal?: string; readonly isRepeated: boolean } {
    const { name, given, call } = checked;
    if (name === "finish") return { isRepeated: false };
    const key = `${name} ${JSON.stringify(sortKeys(given))}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.#keys.set(call, key);
    return count > 2 ? { refusal: REFUSED, isRepeated: true } : { isRepeated: count === 2 };
  }

  /** The answer of a call was removed from the conversation, so the call may be repeated. */
  forget(call: ToolCall): void {
    const key = this.#keys.get(call);
    if (key === undefined) return;
    this.#keys.delete(call);
    this.#counts.set(key, Math.max(0, (this.#counts.get(key) ?? 1) - 1));
  }
}

/** Keys in order, so that the order of arguments does not matter. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
