// The inputs of a new channel, by its service.
import type { VNode } from "preact";
import { create, dom } from "../../ui/dom.ts";
import { Field, textInput } from "../../ui/fields.ts";
import { listChannelFields, type ChannelType, type ChannelValues } from "./channel-types.ts";

export function ChannelFields(props: {
  readonly type: ChannelType;
  readonly values: ChannelValues;
  readonly onChange: (values: ChannelValues) => void;
}): VNode {
  const { type, values, onChange } = props;
  return dom.div(
    { class: "stack" },
    ...listChannelFields(type).map(({ name, label, help, isOptional }) =>
      create(Field, {
        key: `${type} ${name}`,
        label: isOptional === true ? `${label} (optional)` : label,
        ...(help !== undefined && { help }),
        control: (ties) =>
          textInput({
            ...ties,
            value: values[name] ?? "",
            onInput: (value) => onChange({ ...values, [name]: value }),
            mono: true,
          }),
      }),
    ),
  );
}
