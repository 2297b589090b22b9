import type { VNode } from "preact";
import { create, dom } from "../../ui/dom.ts";
import { Field, textInput } from "../../ui/fields.ts";

/** Texts of the fields, by the name of the limit. */
export type LimitTexts = Readonly<Record<string, string>>;

const LIMITS: readonly (readonly [name: string, label: string, help: string, min: number])[] = [
  ["creditBudget", "Credits", "in all", 0],
  ["requestsPerMinute", "Requests a minute", "of reads, 50 times as many", 1],
  ["concurrency", "Requests at once", "in progress", 1],
];

const INDEX = ["indexPages", "Pages in the search index", "of this account", 0] as const;

export const toLimit = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** An empty field means no limit. */
export function limitFields(
  texts: LimitTexts,
  onChange: (texts: LimitTexts) => void,
  isAccount = false,
): VNode {
  const fields = isAccount ? [...LIMITS, INDEX] : LIMITS;
  return dom.div(
    { class: "field-grid" },
    ...fields.map(([name, label, help, min]) =>
      create(Field, {
        key: name,
        label,
        help,
        control: (ties) =>
          textInput({
            ...ties,
            type: "number",
            min,
            placeholder: "no limit",
            value: texts[name] ?? "",
            onInput: (text) => onChange({ ...texts, [name]: text }),
          }),
      }),
    ),
  );
}
