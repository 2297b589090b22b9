// The navigation: a rail with all screens, and on a phone a bar with a menu.
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { runningJobs } from "./data/job-events.ts";
import { keepChoice } from "./data/choices.ts";
import { session } from "./data/session.ts";
import { isWithin, ON_PHONE, SCREEN_LIST, type ScreenEntry } from "./screens/list.ts";
import { iconButton } from "./ui/button.ts";
import { dialog } from "./ui/dialog.ts";
import { classes, create, dom } from "./ui/dom.ts";
import { icon } from "./ui/icons.ts";
import { logo } from "./ui/logo.ts";

/** The server has written the document in this width. */
export const isNarrow = signal(document.documentElement.dataset["rail"] === "narrow");

function toggleRail(): void {
  isNarrow.value = !isNarrow.value;
  keepChoice("rail", isNarrow.value ? "narrow" : undefined);
}

function railLink(screen: ScreenEntry, current: ScreenEntry | undefined): VNode {
  const count = screen.name === "Jobs" ? runningJobs.value : 0;
  return dom.a(
    {
      key: screen.name,
      class: classes("rail-link", ON_PHONE.has(screen.name) && "on-phone"),
      href: screen.paths[0] ?? "/",
      title: isNarrow.value ? screen.name : undefined,
      ...(isWithin(screen, current) && { "aria-current": "page" as const }),
    },
    icon(screen.icon),
    dom.span({ class: "rail-label" }, screen.name),
    count > 0 && dom.span({ class: "rail-count", title: `${count} running` }, count),
  );
}

/** All screens, on a phone. */
function PhoneMenu({ current }: { readonly current: ScreenEntry | undefined }): VNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const shown = SCREEN_LIST.filter(({ group }) => group !== "none");
  const isHere = shown.some((one) => !ON_PHONE.has(one.name) && isWithin(one, current));
  return dom.div(
    { class: "phone-menu" },
    dom.button(
      {
        type: "button",
        class: classes("rail-link", isHere && "here"),
        "aria-haspopup": "dialog",
        onClick: () => setOpen(true),
      },
      icon("more"),
      dom.span({ class: "rail-label" }, "More"),
    ),
    isOpen &&
      dialog({
        title: "All screens",
        onClose: close,
        body: dom.ul(
          { class: "plain-list phone-screens" },
          ...shown.map((one) => dom.li({ key: one.name, onClick: close }, menuLink(one, current))),
          dom.li({ onClick: close }, docsLink()),
        ),
      }),
  );
}

const menuLink = (screen: ScreenEntry, current: ScreenEntry | undefined): VNode =>
  dom.a(
    {
      class: "phone-screen",
      href: screen.paths[0] ?? "/",
      ...(isWithin(screen, current) && { "aria-current": "page" as const }),
    },
    icon(screen.icon),
    screen.name,
  );

const docsLink = (): VNode =>
  dom.a(
    { class: "phone-screen", href: "/docs", target: "_blank", rel: "noopener" },
    icon("docs"),
    "Docs",
  );

export function rail(current: ScreenEntry | undefined): VNode {
  const of = (group: ScreenEntry["group"]): VNode[] =>
    SCREEN_LIST.filter((screen) => screen.group === group).map((screen) =>
      railLink(screen, current),
    );
  return dom.nav(
    { class: "rail", "aria-label": "Screens" },
    dom.a(
      { class: "brand", href: "/", "aria-label": "Quarry, to the playground" },
      logo(),
      dom.span({ class: "rail-label" }, "Quarry"),
    ),
    dom.div({ class: "rail-links" }, ...of("work")),
    dom.div({ class: "rail-group" }, "Server"),
    dom.div(
      { class: "rail-links" },
      ...of("server"),
      dom.a(
        { class: "rail-link", href: "/docs", target: "_blank", rel: "noopener" },
        icon("docs"),
        dom.span({ class: "rail-label" }, "Docs"),
      ),
    ),
    create(PhoneMenu, { current }),
    dom.div(
      { class: "rail-foot row spread" },
      dom.span({ class: "rail-version" }, `Quarry ${session.value.version}`),
      iconButton({
        icon: "rail",
        label: isNarrow.value ? "Widen the navigation" : "Narrow the navigation",
        small: true,
        onClick: toggleRail,
      }),
    ),
  );
}
