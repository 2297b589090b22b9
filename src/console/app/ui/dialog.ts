import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { iconButton } from "./button.ts";
import { classes, create, dom } from "./dom.ts";

export type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly body: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly class?: string;
  readonly bare?: boolean;
};

/** Modal dialog; Escape and a click outside close it. */
function Dialog({ title, onClose, body, foot, class: extra, bare = false }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    // The first control of a dialog is its close button; a form begins with its first field.
    element.current
      ?.querySelector<HTMLElement>(".dialog-body :is(input, textarea, select):not([disabled])")
      ?.focus();
    return () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected;
      (isThere ? opener : document.querySelector<HTMLElement>("#content"))?.focus();
    };
  }, []);
  return dom.dialog(
    {
      ref: element,
      class: classes("dialog", extra),
      ...(bare ? { "aria-label": title } : { "aria-labelledby": id }),
      onCancel: (event) => {
        event.preventDefault();
        onClose();
      },
      // Browsers close a dialog at the second Escape although the first was prevented.
      onClose: ({ currentTarget: closed }) => {
        onClose();
        setTimeout(() => {
          if (closed.isConnected && !closed.open) closed.showModal();
        });
      },
      onClick: (event) => {
        if (event.target === event.currentTarget) onClose();
      },
    },
    bare
      ? body
      : [
          dom.div(
            { class: "dialog-head" },
            dom.h2({ id }, title),
            iconButton({ icon: "cross", label: "Close", small: true, onClick: onClose }),
          ),
          dom.div({ class: "dialog-body" }, body),
          foot !== undefined && dom.div({ class: "dialog-foot" }, foot),
        ],
  );
}

export const dialog = (props: DialogProps): VNode => create(Dialog, props);
