import { render } from "preact";
import { App } from "./app.ts";
import { create } from "./ui/dom.ts";
import { followLinks } from "./router.ts";

const root = document.querySelector("#app");
if (root !== null) {
  root.replaceChildren();
  followLinks();
  render(create(App, {}), root);
}
