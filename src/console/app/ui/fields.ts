// Form controls, each with its label, help and fault.
import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import { classes, dom } from "./dom.ts";

export type FieldParts = {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly fault?: string | undefined;
};

type Control = {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
};

/** A label above a control; `control` gets the ids that connect the two. */
export function Field({
  label,
  help,
  fault,
  control,
}: FieldParts & { readonly control: (ties: Control) => VNode }): VNode {
  const id = useId();
  const note = fault ?? help;
  return dom.div(
    { class: "field" },
    dom.label({ for: id }, label),
    control({
      id,
      ...(note !== undefined && { "aria-describedby": `${id}-note` }),
      ...(fault !== undefined && { "aria-invalid": true }),
    }),
    note !== undefined &&
      dom.span({ id: `${id}-note`, class: fault === undefined ? "help" : "fault" }, note),
  );
}

export type TextProps = {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly type?: "text" | "password" | "url" | "number" | "search";
  readonly min?: number;
  readonly max?: number;
  readonly rows?: number;
};

export function textInput(
  props: TextProps & Partial<Control> & { readonly "aria-label"?: string; readonly class?: string },
): VNode {
  const { value, onInput, mono = false, rows, class: extra, type = "text", ...rest } = props;
  if (rows !== undefined)
    return dom.textarea({
      ...rest,
      rows,
      class: classes("textarea", mono && "mono", extra),
      value,
      spellcheck: false,
      onInput: (event) => onInput(event.currentTarget.value),
    });
  return dom.input({
    ...rest,
    // The allowed roles of an input depend on its type, which is known only at run time.
    type: type as "text",
    class: classes("input", mono && "mono", extra),
    value,
    autocomplete: "off",
    spellcheck: false,
    onInput: (event) => onInput(event.currentTarget.value),
  });
}

export type Option = { readonly value: string; readonly label: string };

export function select(
  props: {
    readonly value: string;
    readonly options: readonly Option[];
    readonly onChange: (value: string) => void;
    readonly "aria-label"?: string;
  } & Partial<Control>,
): VNode {
  const { value, options, onChange, ...rest } = props;
  return dom.select(
    { ...rest, class: "select", value, onChange: (event) => onChange(event.currentTarget.value) },
    ...options.map((option) =>
      dom.option({ value: option.value, selected: option.value === value }, option.label),
    ),
  );
}

/** A switch with its label before it and its help below. */
export function Toggle({
  label,
  help,
  checked,
  onChange,
}: FieldParts & {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): VNode {
  const id = useId();
  return dom.div(
    { class: "field" },
    dom.div(
      { class: "toggle" },
      dom.label({ for: id }, label),
      dom.input({
        id,
        type: "checkbox",
        role: "switch",
        class: "switch",
        checked,
        ...(help !== undefined && { "aria-describedby": `${id}-note` }),
        onChange: (event) => onChange(event.currentTarget.checked),
      }),
    ),
    help !== undefined && dom.span({ id: `${id}-note`, class: "help" }, help),
  );
}

/** A segmented control for a few choices. */
export function segments(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}): VNode {
  const { label, value, options, onChange } = props;
  return dom.div(
    { class: "segments", role: "group", "aria-label": label },
    ...options.map((option) =>
      dom.button(
        {
          type: "button",
          key: option.value,
          "aria-pressed": option.value === value,
          onClick: () => onChange(option.value),
        },
        option.label,
      ),
    ),
  );
}
