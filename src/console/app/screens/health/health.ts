// Health screen: current load, history, checks and settings of the server.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { hasScope } from "../../data/session.ts";
import { place, setQuery } from "../../router.ts";
import { create, dom } from "../../ui/dom.ts";
import { tabPanel, tabs, type Tab } from "../../ui/tabs.ts";
import { Checks } from "./checks.ts";
import { Egress } from "./egress.ts";
import { Overview } from "./overview.ts";
import { Settings } from "./settings.ts";
import { Usage } from "./usage.ts";

type View = Tab & { readonly show: () => VNode; readonly isOperators?: true };

const VIEWS: readonly View[] = [
  { id: "now", label: "Now", show: () => create(Overview, {}) },
  { id: "usage", label: "Usage", show: () => create(Usage, {}) },
  { id: "checks", label: "Checks", show: () => create(Checks, {}), isOperators: true },
  { id: "egress", label: "Egress test", show: () => create(Egress, {}), isOperators: true },
  { id: "settings", label: "Settings", show: () => create(Settings, {}), isOperators: true },
];

export function Health(): VNode {
  const views = VIEWS.filter(({ isOperators }) => isOperators !== true || hasScope("admin"));
  const asked = place.value.query.get("tab");
  const current = views.find(({ id }) => id === asked) ?? (views[0] as View);
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Usage and health",
      text: hasScope("admin")
        ? "Server load, usage, and how to fix problems."
        : "Server load and the usage of this account. Checks and settings need the scope admin.",
    }),
    dom.div(
      { class: "stack" },
      tabs({
        label: "Usage and health",
        tabs: views,
        current: current.id,
        onChange: (tab) => setQuery({ tab }),
      }),
      tabPanel(current.id, current.show()),
    ),
  );
}
