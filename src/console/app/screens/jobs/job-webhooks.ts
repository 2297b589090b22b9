import type { VNode } from "preact";
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
const COLUMNS = ["State", "Event", "Attempts", "Answer", "Created", "Next or end", ""];

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
      text: "Give the job a webhook to be told of its pages and its end.",
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
          ...COLUMNS.map((name) =>
            dom.th(
              { key: name, scope: "col" },
              name === "" ? dom.span({ class: "visually-hidden" }, "Action") : name,
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
              dom.td({ class: "mono tiny" }, type),
              dom.td({ class: "num" }, attempts),
              dom.td(
                { class: "break" },
                statusCode ?? "–",
                error !== undefined && dom.span({ class: "fault" }, ` ${error}`),
              ),
              dom.td(null, time(createdAt)),
              dom.td(null, time(nextAttemptAt ?? endedAt)),
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
