// Chromium also writes console text to stderr. A server that reads it by line builds strings beyond
// the maximum of V8 (512 MiB) and ends.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const consoleText = buildBrowserFlood({
  name: "console-text",
  attack: "A page logs more text than a string can hold to the console.",
  severity: "critical",
  script: (n) => `const s = "x".repeat(${6e7 * n}); console.log(s,s,s,s,s,s,s,s,s,s);`,
});
