// The steps that were recorded in a session, and what to do with them.
import type { VNode } from "preact";
import type { RecordedStep } from "../../../../contract/session/screen.ts";
import { button, linkButton } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";
import { toast } from "../../ui/toast.ts";
import type { ScreenSocket } from "./screen-socket.ts";
import { describeStep, toActions, toCode } from "./steps.ts";

export type RecordedStepsProps = {
  readonly isRecording: boolean;
  readonly steps: readonly RecordedStep[];
  readonly send: ScreenSocket["send"];
};

const copy = (text: string, what: string): void =>
  void navigator.clipboard.writeText(text).then(() => toast(`${what} copied.`));

export function RecordedSteps({ isRecording, steps, send }: RecordedStepsProps): VNode {
  const { url, actions } = toActions(steps);
  const query = new URLSearchParams({ url, options: JSON.stringify({ actions }) });
  return dom.section(
    { class: "panel recorded", "aria-label": "Recorded steps" },
    dom.div(
      { class: "panel-head" },
      dom.h2({ class: "grow" }, "Steps"),
      isRecording &&
        dom.span(
          { class: "row tiny red-text" },
          icon("record", { size: 12, class: "pulse" }),
          "recording",
        ),
    ),
    steps.length === 0
      ? dom.p({ class: "panel-body small soft" }, "What you do on the page appears here.")
      : dom.ol(
          { class: "recorded-list" },
          ...steps.map((step, index) => {
            const [verb, object] = describeStep(step);
            return dom.li(
              { key: index },
              dom.span({ class: "badge" }, verb),
              dom.span({ class: "url", dir: "auto" }, object),
            );
          }),
        ),
    steps.length > 0 &&
      dom.div(
        { class: "recorded-foot row wrap" },
        linkButton(`/?${query.toString()}`, "Use as actions", { small: true, icon: "play" }),
        button({
          label: "Copy code",
          small: true,
          icon: "copy",
          onClick: () => copy(toCode(steps), "Code"),
        }),
        button({
          label: "Copy actions",
          small: true,
          icon: "copy",
          onClick: () => copy(JSON.stringify(actions, null, 2), "Actions"),
        }),
        button({
          label: "Clear",
          small: true,
          kind: "quiet",
          onClick: () => send({ type: "forget" }),
        }),
      ),
  );
}
