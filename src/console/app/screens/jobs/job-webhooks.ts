import type { ComponentChildren, VNode } from "preact";
import type { DeliveryListResponse } from "../../../../contract/jobs/delivery.ts";
import { call } from "../../data/api.ts";
import { button, linkButton } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";

const PAGE = 500;
/** When the result of a redelivery is mostly known. */
const RESULT_MS = 2_000;
const COLUMNS: readonly (readonly [name: string, more: string])[] = [
  ["State", ""],
  ["Event", ""],
  ["Attempts", "hide-narrow"],
  ["Answer", "hide-narrow"],
  ["Created", "hide-narrow"],
  ["Next or last attempt", "hide-narrow"],
  ["Action", "end"],
];

/** The status of the answer, unless its error names it. */
function answer(statusCode: number | undefined, error: string | undefined): ComponentChildren {
  if (error === undefined) return statusCode ?? "–";
  const isNamed = statusCode === undefined || error.includes(String(statusCode));
  return dom.span({ class: "fault", dir: "auto" }, isNamed ? error : `${statusCode} ${error}`);
}

/** The events of a job and the state of their delivery; answers of receivers are shown as text. */
export function JobWebhooks({
  path,
  version,
}: {
  readonly path: string;
  readonly version: number;
}): VNode {
  const loaded = useLoad(
    (signal) =>
      call<DeliveryListResponse>("GET", `${path}/webhooks`, { query: { limit: PAGE }, signal }),
    [path, version],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(4);
  const { deliveries } = loaded.value;
  const redeliver = (webhookId: string): void => {
    call("POST", `${path}/webhooks/${webhookId}`).then(
      () => {
        toast("Sending the event again.");
        loaded.reload();
        // It is taken within a second.
        setTimeout(loaded.reload, RESULT_MS);
      },
      (error: unknown) => reportError(error),
    );
  };
  if (deliveries.length === 0)
    return empty({
      icon: "external",
      title: "No webhook",
      text: "Set a webhook to be notified about pages and the end of the job.",
      action: linkButton("/docs/webhooks", "Read the guide"),
    });
  return dom.div(
    { class: "panel table-wrap" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Webhook deliveries"),
      dom.thead(
        null,
        dom.tr(
          null,
          ...COLUMNS.map(([name, more]) =>
            dom.th(
              { key: name, scope: "col", class: more },
              name === "Action" ? dom.span({ class: "visually-hidden" }, name) : name,
            ),
          ),
        ),
      ),
      dom.tbody(
        null,
        ...deliveries.map(
          ({
            webhookId,
            type,
            state,
            attempts,
            statusCode,
            error,
            createdAt,
            nextAttemptAt,
            endedAt,
          }) =>
            dom.tr(
              { key: webhookId },
              dom.td(null, statusBadge(state)),
              dom.td(
                { class: "mono tiny" },
                type,
                dom.div({ class: "only-narrow break" }, answer(statusCode, error)),
              ),
              dom.td({ class: "num hide-narrow" }, attempts),
              dom.td({ class: "break hide-narrow" }, answer(statusCode, error)),
              dom.td({ class: "hide-narrow" }, time(createdAt)),
              dom.td({ class: "hide-narrow" }, time(nextAttemptAt ?? endedAt)),
              dom.td(
                { class: "end" },
                button({
                  label: state === "waiting" ? "Send now" : "Send again",
                  small: true,
                  onClick: () => redeliver(webhookId),
                }),
              ),
            ),
        ),
      ),
    ),
  );
}
