// Short messages at the edge: what was done, and undo if possible.
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { button, iconButton } from "./button.ts";
import { dom } from "./dom.ts";

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly undo?: (() => void) | undefined;
};

const SHOWN_MS = 5_000;
const list = signal<readonly Toast[]>([]);
let last = 0;

const remove = (id: number): void => {
  list.value = list.value.filter((toast) => toast.id !== id);
};

export function toast(
  text: string,
  more: { readonly isBad?: boolean; readonly undo?: () => void } = {},
): void {
  const id = ++last;
  list.value = [...list.value.slice(-3), { id, text, isBad: more.isBad ?? false, undo: more.undo }];
  setTimeout(() => remove(id), SHOWN_MS);
}

export const reportError = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error), { isBad: true });

export function Toasts(): VNode {
  return dom.div(
    { class: "toasts", role: "status", "aria-live": "polite" },
    ...list.value.map(({ id, text, isBad, undo }) =>
      dom.div(
        { key: id, class: isBad ? "toast bad" : "toast" },
        dom.span({ class: "grow" }, text),
        undo &&
          button({
            label: "Undo",
            small: true,
            onClick: () => {
              undo();
              remove(id);
            },
          }),
        iconButton({ icon: "cross", label: "Dismiss", small: true, onClick: () => remove(id) }),
      ),
    ),
  );
}
