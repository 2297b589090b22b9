// A row of bars, one for each version or check, oldest first.
import type { VNode } from "preact";
import { formatLocal } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import type { Tone } from "../../ui/status.ts";

export type ChangeBar = {
  readonly at: string;
  /** 0 is a low bar, 1 the full height. */
  readonly level: 0 | 1;
  readonly tone: Tone;
};

export function changeBars(bars: readonly ChangeBar[], label: string): VNode {
  return dom.span(
    { class: "change-bars", role: "img", "aria-label": label, title: label },
    ...bars.map(({ at, level, tone }, index) =>
      dom.span({
        key: index,
        class: `fill-${tone}`,
        title: formatLocal(at),
        style: { height: level === 1 ? "100%" : "35%" },
      }),
    ),
  );
}
