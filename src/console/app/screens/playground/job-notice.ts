// Shown above a request that was filled in from an earlier job.
import type { VNode } from "preact";
import { ApiError } from "../../data/api.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox } from "../../ui/feedback.ts";
import { jobPath } from "../jobs/job-facts.ts";
import { listOmitted } from "../jobs/omitted-secrets.ts";
import type { ModeId } from "./modes.ts";

export type JobSource = { readonly kind: ModeId; readonly id: string } & (
  | { readonly state: "loading" }
  | { readonly state: "filled"; readonly omitted: readonly string[] }
  | { readonly state: "failed"; readonly error: Error }
);

export function jobNotice(source: JobSource): VNode {
  const link = dom.a({ href: jobPath(source) }, "the earlier job");
  if (source.state === "failed")
    return source.error instanceof ApiError && source.error.status === 404
      ? dom.p(
          { class: "notice", role: "status" },
          "The settings of ",
          link,
          ` are not available. ${source.error.message}`,
        )
      : errorBox(source.error);
  if (source.state === "loading")
    return dom.p({ class: "small soft", role: "status" }, "Loading the settings of ", link, " …");
  const { omitted } = source;
  return omitted.length === 0
    ? dom.p({ class: "small soft", role: "status" }, "Filled in with the settings of ", link, ".")
    : dom.p(
        { class: "notice", role: "status" },
        "Filled in with the settings of ",
        link,
        `, without its secrets. Before you start it, enter again: ${listOmitted(omitted)}.`,
      );
}
