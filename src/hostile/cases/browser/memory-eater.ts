// Typed arrays that are written to, so that the renderer's memory is really allocated.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const memoryEater = buildBrowserFlood({
  name: "memory-eater",
  attack: "A page allocates memory without end.",
  severity: "high",
  script: (n) =>
    `const all = []; const end = Date.now() + ${20_000 * n}; (function eat() { for (let i = 0; i < 20; i++) all.push(new Uint8Array(4e6).fill(1)); if (Date.now() < end) setTimeout(eat, 0); })();`,
});
