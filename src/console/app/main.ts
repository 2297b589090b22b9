import { render } from "preact";
import { App } from "./app.ts";
import { resumeSession } from "./data/session.ts";
import { create } from "./ui/dom.ts";
import { followLinks } from "./router.ts";

const root = document.querySelector("#app");
if (root !== null) {
  await resumeSession();
  root.replaceChildren();
  followLinks();
  render(create(App, {}), root);
}
