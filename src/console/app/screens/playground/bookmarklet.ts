// A bookmark that opens the page one is looking at in the playground. It holds no key: the console
// uses the session of the browser.
import type { VNode } from "preact";
import { copyButton } from "../../ui/copy.ts";
import { dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";

export const writeBookmarklet = (origin: string): string =>
  `javascript:void open(${JSON.stringify(`${origin}/?url=`)}+encodeURIComponent(location.href),"_blank","noopener")`;

export function bookmarklet(): VNode {
  const code = writeBookmarklet(location.origin);
  return dom.div(
    { class: "row wrap small soft hide-narrow" },
    dom.a(
      {
        class: "button small",
        href: code,
        draggable: true,
        title: "Drag this to the bookmarks bar",
        // The policy of this page forbids to run it here.
        onClick: (event) => event.preventDefault(),
      },
      icon("start", { size: 14 }),
      "Open in Quarry",
    ),
    dom.span(null, "Drag it to your bookmarks bar: it opens the page that you are on here."),
    copyButton(() => code, "Copy the bookmark's address"),
  );
}
