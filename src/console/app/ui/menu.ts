import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { classes, create, dom } from "./dom.ts";

export type MenuProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  readonly items: (close: () => void) => ComponentChildren;
};

/**
 * A button with a list below it. The arrow keys, Home and End move in it; Escape, Tab, a click
 * elsewhere and a choice close it.
 */
function Menu({ label, button, class: extra, items }: MenuProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const listItems = (): HTMLElement[] => [
    ...(anchor.current?.querySelectorAll<HTMLElement>(".menu button, .menu a") ?? []),
  ];
  // Before the next event: a quick choice would otherwise focus an item that is being removed.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event): void => {
      if (event.target instanceof Node && anchor.current?.contains(event.target) === true) return;
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    listItems()[0]?.focus();
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  // A dialog that a choice opens then returns the focus to the button.
  const close = (): void => {
    anchor.current?.querySelector("button")?.focus();
    setOpen(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
      return;
    }
    // The focus goes on from the button.
    if (event.key === "Tab") close();
    const all = listItems();
    const at = all.findIndex((item) => item === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined || all.length === 0) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return dom.div(
    { class: "menu-anchor", ref: anchor, onKeyDown: onKey },
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
    isOpen && dom.div({ class: "menu" }, items(close)),
  );
}

export const menu = (props: MenuProps): VNode => create(Menu, props);
