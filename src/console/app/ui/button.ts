import type { ComponentChildren, VNode } from "preact";
import { classes, dom } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

export type ButtonProps = {
  readonly label: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly kind?: "primary" | "danger" | "danger-fill" | "quiet";
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly disabled?: boolean;
  readonly type?: "button" | "submit";
  readonly title?: string | undefined;
  readonly keys?: string;
};

export function button(props: ButtonProps): VNode {
  const { label, onClick, kind, small = false, disabled = false, type = "button", title } = props;
  return dom.button(
    {
      type,
      class: classes("button", kind, small && "small"),
      disabled,
      ...(onClick && { onClick }),
      ...(title !== undefined && { title }),
    },
    props.icon && icon(props.icon, { size: small ? 14 : 16 }),
    label,
    props.keys && dom.span({ class: "key", "aria-hidden": true }, props.keys),
  );
}

export type IconButtonProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly small?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
};

/** Icon-only button; its name is the tooltip and the accessible name. */
export function iconButton({
  icon: name,
  label,
  onClick,
  small = false,
  pressed,
  disabled = false,
}: IconButtonProps): VNode {
  return dom.button(
    {
      type: "button",
      class: classes("button quiet icon", small && "small"),
      "aria-label": label,
      title: label,
      disabled,
      onClick,
      ...(pressed !== undefined && { "aria-pressed": pressed }),
    },
    icon(name, { size: small ? 14 : 16 }),
  );
}

export function linkButton(
  href: string,
  label: ComponentChildren,
  more: Omit<ButtonProps, "label" | "onClick"> = {},
): VNode {
  const { kind, small = false, title } = more;
  return dom.a(
    {
      href,
      class: classes("button", kind, small && "small"),
      ...(title !== undefined && { title }),
    },
    more.icon && icon(more.icon, { size: small ? 14 : 16 }),
    label,
  );
}
