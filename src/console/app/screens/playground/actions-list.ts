// Browser steps before the capture, as a list that can be edited and put in order.
import type { VNode } from "preact";
import type { JsonSchema } from "../../data/contract.ts";
import { iconButton } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { select } from "../../ui/fields.ts";
import { SchemaField, toLabel } from "./schema-form.ts";

export type Action = { readonly type: string } & Readonly<Record<string, unknown>>;

export type ActionsProps = {
  readonly schema: JsonSchema;
  readonly value: readonly Action[];
  readonly onChange: (value: readonly Action[]) => void;
};

function readVariants(schema: JsonSchema): Map<string, JsonSchema> {
  const variants = schema.items?.oneOf ?? schema.items?.anyOf ?? [];
  return new Map(
    variants.flatMap((variant) => {
      const type = variant.properties?.["type"]?.const;
      return type === undefined ? [] : [[type, variant] as const];
    }),
  );
}

export function Actions({ schema, value, onChange }: ActionsProps): VNode {
  const variants = readVariants(schema);
  const replace = (at: number, ...next: Action[]): void =>
    onChange(value.toSpliced(at, 1, ...next));
  const move = (at: number, to: number): void => {
    const action = value[at];
    if (action !== undefined) onChange(value.toSpliced(at, 1).toSpliced(to, 0, action));
  };
  return dom.div(
    { class: "stack" },
    ...value.map((action, at) =>
      dom.fieldset(
        { key: at, class: "form-group" },
        dom.legend(null, `${at + 1}. ${toLabel(action.type)}`),
        dom.div(
          { class: "row form-group-tools" },
          iconButton({
            icon: "up",
            label: `Move step ${at + 1} up`,
            small: true,
            disabled: at === 0,
            onClick: () => move(at, at - 1),
          }),
          iconButton({
            icon: "down",
            label: `Move step ${at + 1} down`,
            small: true,
            disabled: at === value.length - 1,
            onClick: () => move(at, at + 1),
          }),
          iconButton({
            icon: "trash",
            label: `Remove step ${at + 1}`,
            small: true,
            onClick: () => replace(at),
          }),
        ),
        ...Object.entries(variants.get(action.type)?.properties ?? {})
          .filter(([name]) => name !== "type")
          .map(([name, part]) =>
            create(SchemaField, {
              key: name,
              name,
              schema: part,
              value: action[name],
              onChange: (next) => {
                const { [name]: _before, ...rest } = action;
                replace(at, (next === undefined ? rest : { ...rest, [name]: next }) as Action);
              },
            }),
          ),
      ),
    ),
    select({
      "aria-label": "Add a step",
      value: "",
      options: [
        { value: "", label: "Add a step …" },
        ...[...variants.keys()].map((type) => ({ value: type, label: toLabel(type) })),
      ],
      onChange: (type) => type !== "" && onChange([...value, { type }]),
    }),
  );
}
