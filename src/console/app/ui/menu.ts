import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { classes, create, dom } from "./dom.ts";

export type MenuProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  readonly items: (close: () => void) => ComponentChildren;
};

/** A button with a list below it; Escape, a click elsewhere and a choice close it. */
function Menu({ label, button, class: extra, items }: MenuProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event): void => {
      if (event.target instanceof Node && anchor.current?.contains(event.target) === true) return;
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    anchor.current?.querySelector<HTMLElement>(".menu button, .menu a")?.focus();
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  return dom.div(
    {
      class: "menu-anchor",
      ref: anchor,
      onKeyDown: (event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        anchor.current?.querySelector("button")?.focus();
      },
    },
    dom.button(
      {
        type: "button",
        class: classes("button", extra),
        "aria-label": label,
        "aria-expanded": isOpen,
        title: label,
        onClick: () => setOpen(!isOpen),
      },
      button,
    ),
    isOpen &&
      dom.div(
        { class: "menu" },
        items(() => setOpen(false)),
      ),
  );
}

export const menu = (props: MenuProps): VNode => create(Menu, props);
