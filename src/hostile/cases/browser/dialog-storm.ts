// Dialogs block the page until they are answered; beforeunload blocks leaving it.
import { buildBrowserFlood } from "../../families/browser-flood.ts";

export const dialogStorm = buildBrowserFlood({
  name: "dialog-storm",
  attack: "A page opens dialogs without end and asks before it is left.",
  severity: "medium",
  script: () =>
    `onbeforeunload = () => "stay"; setInterval(() => { alert("a"); confirm("b"); prompt("c"); print(); }, 10);`,
});
