// Loading, empty and error states of screens.
import type { ComponentChildren, VNode } from "preact";
import { ApiError } from "../data/api.ts";
import { copyButton } from "./copy.ts";
import { dom } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";
import { button } from "./button.ts";

/** Placeholder lines of the expected size. */
export function skeleton(lines = 3, widths: readonly number[] = [90, 70, 80, 55]): VNode {
  return dom.div(
    { class: "stack", "aria-busy": true, "aria-label": "Loading", role: "status" },
    ...Array.from({ length: lines }, (_, index) =>
      dom.span({ class: "skeleton", style: { width: `${widths[index % widths.length]}%` } }),
    ),
  );
}

export type EmptyProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly text: ComponentChildren;
  readonly action?: ComponentChildren;
};

/** Explains an empty screen and the next step. */
export function empty({ icon: name, title, text, action }: EmptyProps): VNode {
  return dom.div(
    { class: "empty" },
    icon(name, { size: 28 }),
    dom.h2(null, title),
    dom.p(null, text),
    action,
  );
}

/** Shows an error with the API's text and the request id for the log. */
export function errorBox(error: Error, onRetry?: () => void): VNode {
  const details = error instanceof ApiError && Array.isArray(error.details) ? error.details : [];
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const more = details.filter(
    ({ message }) => message !== undefined && !error.message.includes(message),
  );
  return dom.div(
    { class: "error-box", role: "alert" },
    dom.div(null, dom.strong(null, error.message)),
    more.length > 0 &&
      dom.ul(
        null,
        ...more
          .slice(0, 10)
          .map(({ path = [], message }) =>
            dom.li(null, path.length > 0 && dom.code(null, `${path.join(".")}: `), message),
          ),
      ),
    (requestId !== undefined || onRetry !== undefined) &&
      dom.div(
        { class: "row wrap" },
        onRetry && button({ label: "Try again", small: true, icon: "again", onClick: onRetry }),
        requestId !== undefined &&
          dom.span({ class: "tiny soft" }, "Request ", dom.code(null, requestId)),
        requestId !== undefined && copyButton(requestId, "Copy the request id"),
      ),
  );
}
