// The title and the text of a page are read through the DevTools protocol as one message.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const titleFlood = buildBrowserFlood({
  name: "title-flood",
  attack: "A page makes its title and its text hundreds of megabytes long.",
  severity: "high",
  script: (n) => `const s = "x".repeat(${2e8 * n}); document.title = s; document.body.append(s);`,
});
