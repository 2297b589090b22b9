// Endless popups: each is a separate target, which takes a renderer and messages.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const popupStorm = buildBrowserFlood({
  name: "popup-storm",
  attack: "A page opens windows without end.",
  severity: "high",
  script: () =>
    `setInterval(() => { for (let i = 0; i < 20; i++) window.open(location.href + "popup" + i, "w" + Math.random()); }, 20);`,
});
