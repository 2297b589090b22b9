// A script that never returns blocks the renderer: no event and no evaluation is answered.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const endlessScript = buildBrowserFlood({
  name: "endless-script",
  attack: "A page's script never ends.",
  severity: "high",
  script: () => "for (;;);",
});
