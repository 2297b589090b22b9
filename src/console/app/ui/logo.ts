import type { VNode } from "preact";
import { dom } from "./dom.ts";

export function logo(size = 22): VNode {
  return dom.svg(
    { width: size, height: size, viewBox: "0 0 32 32", "aria-hidden": true },
    dom.rect({ width: 32, height: 32, rx: 8, fill: "var(--accent-fill)" }),
    dom.path({
      d: "M8 21.500 16 7l8 14.500-8 4.500z",
      fill: "var(--on-accent)",
      "fill-opacity": 0.92,
    }),
    dom.path({ d: "m16 7 8 14.500-8 4.500z", fill: "var(--accent-fill)", "fill-opacity": 0.35 }),
  );
}
