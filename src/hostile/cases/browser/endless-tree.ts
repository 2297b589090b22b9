// A document that grows while it is read, so a serializer without a limit never ends.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const endlessTree = buildBrowserFlood({
  name: "endless-tree",
  attack: "A page adds elements without end.",
  severity: "high",
  script: (n) =>
    `const end = Date.now() + ${20_000 * n}; (function grow() { document.body.insertAdjacentHTML("beforeend", "<p>grown</p>".repeat(5e3)); if (Date.now() < end) setTimeout(grow, 0); })();`,
});
