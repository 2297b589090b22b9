import type { ComponentChildren, VNode } from "preact";
import { dom } from "./dom.ts";

export type Tab = {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
};

export type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onChange: (id: string) => void;
};

/** Arrow keys go from tab to tab, as in the ARIA authoring practices. */
export function tabs({ label, tabs: list, current, onChange }: TabsProps): VNode {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = list.findIndex(({ id }) => id === current);
    const next = list[(at + step + list.length) % list.length];
    if (next === undefined) return;
    onChange(next.id);
    const { currentTarget } = event;
    if (currentTarget instanceof HTMLElement)
      currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  return dom.div(
    { class: "tabs", role: "tablist", "aria-label": label, onKeyDown: move },
    ...list.map(({ id, label: name, count }) =>
      dom.button(
        {
          key: id,
          type: "button",
          class: "tab",
          role: "tab",
          id: `tab-${id}`,
          "data-tab": id,
          "aria-selected": id === current,
          "aria-controls": `panel-${id}`,
          tabIndex: id === current ? 0 : -1,
          onClick: () => onChange(id),
        },
        name,
        count !== undefined && dom.span({ class: "count" }, count.toLocaleString("en-US")),
      ),
    ),
  );
}

export function tabPanel(id: string, ...children: ComponentChildren[]): VNode {
  return dom.div(
    {
      key: id,
      class: "tab-panel",
      role: "tabpanel",
      id: `panel-${id}`,
      "aria-labelledby": `tab-${id}`,
      tabIndex: 0,
    },
    ...children,
  );
}
