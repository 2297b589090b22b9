// Which stored changes of a monitor would have counted and notified with other rules.
import type { VNode } from "preact";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { formatLocalSeconds, pluralize } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { badge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";

type Replayed = {
  readonly targetId: string;
  readonly url: string;
  readonly from: string;
  readonly to: string;
  readonly changed: boolean;
  readonly notifies: boolean;
  readonly reason: string;
};

const MAX_SHOWN = 100;

const describe = ({ changed, notifies }: Replayed): string =>
  notifies ? "notifies" : changed ? "counts" : "ignored";

export function MonitorDryRun({
  monitor,
  rules,
}: {
  readonly monitor: Pick<Monitor, "id">;
  readonly rules: object;
}): VNode {
  const loaded = useLoad(
    async (signal) => {
      const path = `/v2/monitor/${monitor.id}/dry-run`;
      const [before = [], after = []] = await Promise.all(
        [{}, rules].map(
          async (body) =>
            (await call<{ data: readonly Replayed[] }>("POST", path, { body, signal })).data,
        ),
      );
      return { before, after };
    },
    [monitor.id],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(3);
  const { before, after } = loaded.value;
  if (after.length === 0)
    return dom.p(
      { class: "notice small", role: "status" },
      "No page has two stored versions yet, so there is nothing to try the rules on.",
    );
  const notified = (list: readonly Replayed[]): number =>
    list.filter(({ notifies }) => notifies).length;
  return dom.div(
    { class: "stack tight", role: "status" },
    dom.p(
      { class: "small" },
      `Of ${pluralize(after.length, "stored difference")}, ${notified(after)} would notify; with the rules as they are, ${notified(before)}.`,
    ),
    dom.ul(
      { class: "plain-list stack tight" },
      ...after.slice(0, MAX_SHOWN).map((one, at) => {
        const former = before[at];
        const isOther = former !== undefined && describe(former) !== describe(one);
        return dom.li(
          { key: `${one.targetId} ${one.from} ${one.to} ${at}`, class: "row wrap small" },
          badge(
            describe(one),
            one.notifies ? "blue" : one.changed ? "amber" : "gray",
            one.notifies ? "check" : "dash",
          ),
          isOther && dom.span({ class: "tiny faint" }, `before: ${describe(former)}`),
          url(one.url, 60),
          dom.span({ class: "tiny faint num" }, formatLocalSeconds(one.to)),
          dom.span({ class: "tiny faint grow", dir: "auto" }, one.reason),
        );
      }),
    ),
    after.length > MAX_SHOWN &&
      dom.p(
        { class: "tiny faint" },
        `And ${pluralize(after.length - MAX_SHOWN, "more difference")}.`,
      ),
  );
}
