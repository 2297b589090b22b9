// Console messages that each are small enough for a limit, and together fill the memory of the
// reader.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const consoleMany = buildBrowserFlood({
  name: "console-many",
  attack: "A page logs forty times 20 MB to the console.",
  severity: "high",
  script: (n) =>
    `const s = "x".repeat(${2e7 * n}); for (let i = 0; i < 40; i++) console.log(i + s);`,
});
