// The head of a screen: where it belongs, its name, what it is for, and its actions.
import type { ComponentChildren, VNode } from "preact";
import { dom } from "./dom.ts";

export type ScreenHeadProps = {
  readonly title: ComponentChildren;
  readonly text?: ComponentChildren;
  /** The list that this screen shows one entry of. */
  readonly parent?: { readonly href: string; readonly label: string };
  /** States beside the way back. */
  readonly state?: ComponentChildren;
  /** Small facts below the title, such as the id. */
  readonly facts?: ComponentChildren;
  readonly actions?: ComponentChildren;
};

export function screenHead(props: ScreenHeadProps): VNode {
  const { title, text, parent, state, facts, actions } = props;
  return dom.div(
    { class: "screen-head" },
    dom.div(
      { class: "grow stack tight" },
      parent !== undefined &&
        dom.div(
          { class: "row wrap" },
          dom.a({ href: parent.href, class: "small" }, parent.label),
          state !== undefined &&
            state !== false && [dom.span({ class: "faint", "aria-hidden": true }, "/"), state],
        ),
      dom.h1({ ...(parent !== undefined && { class: "job-title clip" }), dir: "auto" }, title),
      text !== undefined && dom.p(null, text),
      facts !== undefined && dom.div({ class: "row wrap tiny faint" }, facts),
    ),
    actions !== undefined && dom.div({ class: "row wrap" }, actions),
  );
}
