import type { VNode } from "preact";
import { dom } from "./dom.ts";
import { ICON_PATHS, type IconName } from "./icon-paths.ts";

export type { IconName } from "./icon-paths.ts";

export function icon(
  name: IconName,
  more: { readonly size?: number; readonly class?: string } = {},
): VNode {
  const { size = 16, class: className } = more;
  return dom.svg(
    {
      width: size,
      height: size,
      viewBox: "0 0 16 16",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.4,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": true,
      ...(className === undefined ? {} : { class: className }),
    },
    dom.path({ d: ICON_PATHS[name] }),
  );
}
