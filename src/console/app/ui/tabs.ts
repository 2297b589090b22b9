import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { create, dom } from "./dom.ts";

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

function Tabs({ label, tabs: list, current, onChange }: TabsProps): VNode {
  const bar = useRef<HTMLDivElement>(null);
  // On a phone the bar may be wider than the screen.
  useLayoutEffect(() => {
    const whole = bar.current?.getBoundingClientRect();
    const tab = bar.current?.querySelector("[aria-selected=true]")?.getBoundingClientRect();
    if (whole === undefined || tab === undefined) return;
    if (tab.right > whole.right) bar.current?.scrollBy(tab.right - whole.right, 0);
    else if (tab.left < whole.left) bar.current?.scrollBy(tab.left - whole.left, 0);
  }, [current, list.length]);
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
    { class: "tabs", role: "tablist", "aria-label": label, ref: bar, onKeyDown: move },
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

/** Arrow keys go from tab to tab, as in the ARIA authoring practices. */
export const tabs = (props: TabsProps): VNode => create(Tabs, props);

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
