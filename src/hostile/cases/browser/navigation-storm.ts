// Endless navigations destroy the context of the reader.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const navigationStorm = buildBrowserFlood({
  name: "navigation-storm",
  attack: "A page navigates, reloads and pushes history without end.",
  severity: "medium",
  script: () =>
    `let i = 0; setInterval(() => { history.pushState({}, "", "?" + i++); if (i % 50 === 0) location.reload(); }, 5);`,
});
