// The formats of a scrape as toggles; one with options shows them below.
import type { VNode } from "preact";
import type { CapabilitiesResponse } from "../../../../contract/account/capabilities.ts";
import type { JsonSchema } from "../../data/contract.ts";
import { create, dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";
import { SchemaField, toLabel } from "./schema-form.ts";

export type FormatEntry = string | ({ readonly type: string } & Readonly<Record<string, unknown>>);

export type FormatsProps = {
  readonly schema: JsonSchema;
  readonly value: readonly FormatEntry[];
  readonly available: CapabilitiesResponse["formats"];
  readonly onChange: (value: readonly FormatEntry[]) => void;
};

export const formatType = (entry: FormatEntry): string =>
  typeof entry === "string" ? entry : entry.type;

/** Options of each format by its type; formats without any have none. */
function readVariants(schema: JsonSchema): Map<string, JsonSchema> {
  const variants = new Map<string, JsonSchema>();
  const open: JsonSchema[] = [...(schema.items?.anyOf ?? [])];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    if (one.deprecated === true) continue;
    for (const name of one.enum ?? []) variants.set(String(name), {});
    open.push(...(one.anyOf ?? []), ...(one.oneOf ?? []));
    const type = one.properties?.["type"];
    if (type?.const !== undefined) variants.set(type.const, one);
  }
  return variants;
}

const optionsOf = ({ properties = {} }: JsonSchema): [string, JsonSchema][] =>
  Object.entries(properties).filter(([name]) => name !== "type");

/** True if the format cannot be requested by name alone. */
const needsOptions = ({ required = [] }: JsonSchema, type: string): boolean =>
  type === "json" || type === "deterministicJson" || required.some((name) => name !== "type");

export function Formats({ schema, value, available, onChange }: FormatsProps): VNode {
  const variants = readVariants(schema);
  const replace = (type: string, entry: FormatEntry | undefined): void => {
    const others = value.filter((one) => formatType(one) !== type);
    onChange(entry === undefined ? others : [...others, entry]);
  };
  const chips = [...variants].map(([type, variant]) => {
    const isOn = value.some((entry) => formatType(entry) === type);
    const support = available?.[type];
    const why =
      support?.available === false
        ? (support.reason ?? "Not available on this server.")
        : undefined;
    return dom.button(
      {
        key: type,
        type: "button",
        class: "chip",
        "aria-pressed": isOn,
        disabled: why !== undefined,
        title: why ?? variant.description ?? toLabel(type),
        onClick: () =>
          replace(type, isOn ? undefined : needsOptions(variant, type) ? { type } : type),
      },
      isOn && icon("check", { size: 12 }),
      type,
    );
  });
  const groups = value.flatMap((entry) => {
    const type = formatType(entry);
    const variant = variants.get(type);
    const options = variant === undefined ? [] : optionsOf(variant);
    if (options.length === 0) return [];
    const current = typeof entry === "string" ? {} : entry;
    return [
      dom.fieldset(
        { key: type, class: "form-group" },
        dom.legend(null, type),
        ...options.map(([name, part]) =>
          create(SchemaField, {
            key: `${type} ${name}`,
            name,
            schema: part,
            value: current[name as keyof typeof current],
            onChange: (next) => {
              const { [name]: _before, ...rest } = current as Record<string, unknown>;
              const all = next === undefined ? rest : { ...rest, [name]: next };
              const hasOptions = Object.keys(all).some((key) => key !== "type");
              replace(
                type,
                hasOptions || (variant !== undefined && needsOptions(variant, type))
                  ? { ...all, type }
                  : type,
              );
            },
          }),
        ),
      ),
    ];
  });
  return dom.div(
    { class: "stack" },
    dom.div({ class: "chips", role: "group", "aria-label": "Formats" }, ...chips),
    ...groups,
  );
}
