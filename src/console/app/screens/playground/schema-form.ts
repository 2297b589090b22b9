// Builds a form from a JSON Schema of the contract: one control per property, with the schema's
// description as help. Only values that differ from the default are kept.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JsonSchema } from "../../data/contract.ts";
import { toText } from "../../data/format.ts";
import { CodeEditor, type CodeEditorProps } from "../../ui/code-editor.ts";
import { create, dom } from "../../ui/dom.ts";
import { Field, segments, select, textInput, Toggle, type Option } from "../../ui/fields.ts";
import { hasSameEntries, nameEntry, toggleEntry } from "./named-entries.ts";

export type FieldProps = {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Undefined is the default. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
};

const MAX_SEGMENTS = 4;
const MAX_SEGMENT_CHARACTERS = 26;
/** A field grows with its text up to this height. */
const MAX_LINES = 6;

/** Formats `onlyMainContent` for people: "Only main content". */
export function toLabel(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(
    /\b(?:url|urls|tls|pii|json)\b/gi,
    (word) =>
      word.replace(/^(.*?)(s?)$/i, (_all, stem: string, end: string) =>
        stem.toLowerCase() === "tl" ? "TLS" : stem.toUpperCase() + end,
      ),
  );
}

/** Names that can be combined; names with options are left to the JSON view. */
const enumOfItems = ({ type, items }: JsonSchema): readonly string[] | undefined =>
  type === "array"
    ? (items?.enum ?? items?.anyOf?.find((one) => one.enum !== undefined)?.enum)?.map(String)
    : undefined;

const isSwitch = ({ type, anyOf = [] }: JsonSchema): boolean =>
  type === "boolean" || anyOf.some((one) => one.type === "boolean");

const isTexts = ({ type, items }: JsonSchema): boolean =>
  type === "array" && items?.type === "string" && items.enum === undefined;

const isHeaders = (schema: JsonSchema): boolean =>
  (schema.anyOf ?? [schema]).some(
    ({ type, additionalProperties }) =>
      type === "object" &&
      typeof additionalProperties === "object" &&
      additionalProperties.type === "string",
  );

const toLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join("\n") : "";
const fromLines = (text: string): string[] | undefined => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? undefined : lines;
};

const toHeaderLines = (value: unknown): string =>
  Object.entries((value ?? {}) as Record<string, string>)
    .map(([name, text]) => `${name}: ${text}`)
    .join("\n");

function fromHeaderLines(text: string): Record<string, string> | undefined {
  const pairs = text.split("\n").flatMap((line) => {
    const at = line.indexOf(":");
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** Keeps the typed text unchanged while the user types. */
function LinesField({
  name,
  schema,
  value,
  onChange,
  format,
  parse,
  placeholder,
}: FieldProps & {
  readonly format: (value: unknown) => string;
  readonly parse: (text: string) => unknown;
  readonly placeholder: string;
}): VNode {
  const [text, setText] = useState(format(value));
  return create(Field, {
    label: toLabel(name),
    help: schema.description,
    control: (ties) =>
      textInput({
        ...ties,
        rows: Math.min(MAX_LINES, text.split("\n").length),
        mono: true,
        value: text,
        placeholder,
        onInput: (next) => {
          setText(next);
          onChange(parse(next));
        },
      }),
  });
}

function JsonField({ name, schema, value, onChange }: FieldProps): VNode {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [fault, setFault] = useState<string>();
  const change = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setFault(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return codeField(
    { name, schema, fault },
    { language: "json", placeholder: "JSON", value: text, onInput: change, onFault: setFault },
  );
}

/** The editor names itself: a label of the document does not reach into its shadow root. */
function codeField(
  { name, schema, fault }: Pick<FieldProps, "name" | "schema"> & { fault?: string | undefined },
  editor: Omit<CodeEditorProps, "label">,
): VNode {
  const label = toLabel(name);
  const note = fault ?? schema.description;
  return dom.div(
    { class: "field" },
    dom.span({ class: "label", "aria-hidden": true }, label),
    create(CodeEditor, { ...editor, label, help: schema.description }),
    note !== undefined &&
      dom.span(fault === undefined ? { class: "help" } : { class: "fault", role: "status" }, note),
  );
}

function EnumField({ name, schema, value, onChange }: FieldProps): VNode {
  const fallback = schema.default === undefined ? "" : toText(schema.default);
  const options: Option[] = (schema.enum ?? []).map((one) => ({
    value: String(one),
    label: String(one),
  }));
  const shown = fallback === "" ? [{ value: "", label: "–" }, ...options] : options;
  const change = (next: string): void => onChange(next === fallback ? undefined : next);
  const current = value === undefined ? fallback : toText(value);
  const characters = shown.reduce((sum, { label }) => sum + label.length, 0);
  if (shown.length <= MAX_SEGMENTS && characters <= MAX_SEGMENT_CHARACTERS)
    return dom.div(
      { class: "field" },
      dom.span({ class: "label" }, toLabel(name)),
      segments({ label: toLabel(name), value: current, options: shown, onChange: change }),
      schema.description !== undefined && dom.span({ class: "help" }, schema.description),
    );
  return create(Field, {
    label: toLabel(name),
    help: schema.description,
    control: (ties) => select({ ...ties, value: current, options: shown, onChange: change }),
  });
}

function ChoicesField({
  name,
  schema,
  value,
  onChange,
  names,
}: FieldProps & { readonly names: readonly string[] }): VNode {
  const fallback: readonly unknown[] = Array.isArray(schema.default) ? schema.default : [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : fallback;
  const chosen = entries.map(nameEntry);
  const toggle = (one: string): void => {
    const next = toggleEntry(entries, one);
    onChange(hasSameEntries(next, fallback) ? undefined : next);
  };
  return dom.div(
    { class: "field" },
    dom.span({ class: "label" }, toLabel(name)),
    dom.div(
      { class: "chips", role: "group", "aria-label": toLabel(name) },
      ...names.map((one) =>
        dom.button(
          {
            key: one,
            type: "button",
            class: "chip",
            "aria-pressed": chosen.includes(one),
            onClick: () => toggle(one),
          },
          one,
        ),
      ),
    ),
    schema.description !== undefined && dom.span({ class: "help" }, schema.description),
  );
}

function NumberField({ name, schema, value, onChange }: FieldProps): VNode {
  return create(Field, {
    label: toLabel(name),
    help: schema.description,
    control: (ties) =>
      textInput({
        ...ties,
        type: "number",
        value: typeof value === "number" ? String(value) : "",
        placeholder: schema.default === undefined ? "" : toText(schema.default),
        ...(schema.minimum !== undefined && { min: schema.minimum }),
        onInput: (text) => onChange(text === "" ? undefined : Number(text)),
      }),
  });
}

function GroupField({ name, schema, value, onChange }: FieldProps): VNode {
  const current = (value ?? {}) as Record<string, unknown>;
  return dom.fieldset(
    { class: "form-group" },
    dom.legend(null, toLabel(name)),
    schema.description !== undefined && dom.span({ class: "help" }, schema.description),
    ...Object.entries(schema.properties ?? {}).map(([key, part]) =>
      create(SchemaField, {
        key,
        name: key,
        schema: part,
        value: current[key],
        onChange: (next) => {
          const { [key]: _before, ...rest } = current;
          const all = next === undefined ? rest : { ...rest, [key]: next };
          onChange(Object.keys(all).length === 0 ? undefined : all);
        },
      }),
    ),
  );
}

/** A field that also takes null has the control of its other type; objects stay JSON. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...about } = schema;
  const [one, ...others] = anyOf?.filter(({ type }) => type !== "null") ?? [];
  return one === undefined || others.length > 0 || one.properties !== undefined
    ? schema
    : { ...one, ...about };
}

/** Chooses the control that fits the schema; JSON if none does. */
export function SchemaField(given: FieldProps): VNode {
  const schema = withoutNull(given.schema);
  const props = { ...given, schema };
  const { name, value, onChange } = props;
  if (isSwitch(schema))
    return create(Toggle, {
      label: toLabel(name),
      help: schema.description,
      // An object is the option turned on, with options of its own.
      checked: (value ?? schema.default ?? false) !== false,
      onChange: (checked) => onChange(checked === (schema.default ?? false) ? undefined : checked),
    });
  if (schema.enum !== undefined) return create(EnumField, props);
  if (schema.type === "integer" || schema.type === "number") return create(NumberField, props);
  const names = enumOfItems(schema);
  if (names !== undefined) return create(ChoicesField, { ...props, names });
  if (isTexts(schema))
    return create(LinesField, {
      ...props,
      format: toLines,
      parse: fromLines,
      placeholder: "One per line",
    });
  if (isHeaders(schema))
    return create(LinesField, {
      ...props,
      format: toHeaderLines,
      parse: fromHeaderLines,
      placeholder: "Name: value",
    });
  if (schema.type === "string" && /^script|code$/i.test(name))
    return codeField(props, {
      language: "javascript",
      value: typeof value === "string" ? value : "",
      onInput: (text) => onChange(text === "" ? undefined : text),
    });
  if (schema.type === "string")
    return create(Field, {
      label: toLabel(name),
      help: schema.description,
      control: (ties) =>
        textInput({
          ...ties,
          value: typeof value === "string" ? value : "",
          ...(/prompt|question|query/i.test(name) && { rows: 3 }),
          onInput: (text) => onChange(text === "" ? undefined : text),
        }),
    });
  if (schema.type === "object" && schema.properties !== undefined) return create(GroupField, props);
  return create(JsonField, props);
}
