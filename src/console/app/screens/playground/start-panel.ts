// The playground before a request: the mode, samples and earlier requests.
import type { VNode } from "preact";
import { recentRequests } from "../../data/recent.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";
import { time, url } from "../../ui/values.ts";
import { AccountHistory } from "./account-history.ts";
import { bookmarklet } from "./bookmarklet.ts";
import type { Mode } from "./modes.ts";

function recentList(): VNode {
  return dom.div(
    { class: "panel" },
    dom.div(
      { class: "panel-head" },
      dom.h2(null, "Recent requests"),
      dom.span({ class: "tiny faint" }, "kept in this browser"),
    ),
    dom.ul(
      { class: "link-list" },
      ...recentRequests.value
        .slice(0, 8)
        .map((request) =>
          dom.li(
            { key: request.path },
            dom.a(
              { href: request.path },
              dom.span({ class: "link-kind" }, dom.span({ class: "badge" }, request.mode)),
              dom.span({ class: "grow truncate" }, url(request.url, 70)),
              time(request.at),
            ),
          ),
        ),
    ),
  );
}

/** Shown without a request: modes and recent requests. */
export function startPanel(mode: Mode, onTry: (subject: string) => void): VNode {
  const samples: Readonly<Partial<Record<Mode["field"], readonly string[]>>> = {
    url: ["https://example.com", "https://en.wikipedia.org/wiki/Quarry"],
    query: ["how do quarries split basalt"],
    prompt: ["the name, price and weight of each product on https://example.com/shop"],
  };
  return dom.div(
    { class: "stack gap-l" },
    dom.div(
      { class: "panel start-panel" },
      dom.h2(null, mode.help),
      dom.p(
        { class: "soft" },
        mode.outcome === "job"
          ? "It runs in the background while you watch its progress."
          : "The result shows the text, the data, and why each part was kept or removed.",
      ),
      dom.div(
        { class: "row wrap" },
        ...(samples[mode.field] ?? []).map((sample) =>
          button({
            label: sample,
            kind: "quiet",
            small: true,
            icon: "play",
            onClick: () => onTry(sample),
          }),
        ),
      ),
      mode.id === "scrape" && bookmarklet(),
    ),
    recentRequests.value.length > 0 ? recentList() : firstStepsLink(),
    create(AccountHistory, {}),
  );
}

const firstStepsLink = (): VNode =>
  dom.a(
    { class: "panel next-card", href: "/console/start" },
    dom.span({ class: "row" }, icon("start"), dom.strong(null, "New here? First steps")),
    dom.span(
      { class: "small soft" },
      "From a page to a site to your program or agent, in about three minutes.",
    ),
  );
