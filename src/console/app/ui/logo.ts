import type { VNode } from "preact";
import { dom } from "./dom.ts";
import { LOGO_PATHS } from "./icon-paths.ts";

export function logo(size = 22): VNode {
  return dom.svg(
    { width: size, height: size, viewBox: "0 0 32 32", "aria-hidden": true },
    dom.rect({ width: 32, height: 32, rx: 8, fill: "var(--accent-fill)" }),
    dom.path({
      d: LOGO_PATHS.stone,
      fill: "var(--on-accent)",
      "fill-opacity": 0.92,
    }),
    dom.path({ d: LOGO_PATHS.side, fill: "var(--accent-fill)", "fill-opacity": 0.35 }),
  );
}
