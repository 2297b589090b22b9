// Errors of a job, grouped by cause.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { copyButton } from "../../ui/copy.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";

type JobError = {
  readonly id: string;
  readonly url: string;
  readonly error: string;
  readonly code?: string;
  readonly timestamp?: string;
};
type Errors = { readonly errors: readonly JobError[]; readonly robotsBlocked: readonly string[] };

const MAX_SHOWN = 50;

/** The same error of many pages differs only in addresses and numbers. */
const toCause = ({ error, code }: JobError): string =>
  `${code ?? ""} ${error.replaceAll(/https?:\/\/\S+/g, "URL").replaceAll(/\d+/g, "N")}`.trim();

function group(title: string, urls: readonly string[], more: string): VNode {
  return dom.details(
    { key: title, class: "fold panel", open: urls.length <= 8 },
    dom.summary(
      null,
      dom.span({ class: "grow" }, title),
      dom.span({ class: "badge red num" }, formatNumber(urls.length)),
    ),
    dom.div(
      { class: "fold-body stack" },
      dom.div(
        { class: "row spread" },
        dom.p({ class: "small soft", dir: "auto" }, more),
        copyButton(() => urls.join("\n"), "Copy all URLs"),
      ),
      dom.ul(
        { class: "plain-list" },
        ...urls.slice(0, MAX_SHOWN).map((address) => dom.li({ key: address }, url(address, 100))),
      ),
      urls.length > MAX_SHOWN &&
        dom.p({ class: "tiny faint" }, `and ${formatNumber(urls.length - MAX_SHOWN)} more`),
    ),
  );
}

export function JobErrors({
  path,
  failed,
}: {
  readonly path: string;
  readonly failed: number;
}): VNode {
  const loaded = useLoad(
    (signal) => call<Errors>("GET", `${path}/errors`, { signal }),
    [path, failed],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(4);
  const { errors, robotsBlocked } = loaded.value;
  if (errors.length === 0 && robotsBlocked.length === 0)
    return empty({
      icon: "check",
      title: "No errors",
      text: "All attempted pages were fetched.",
    });
  const groups = Map.groupBy(errors, toCause);
  const sorted = [...groups.values()].toSorted((one, other) => other.length - one.length);
  return dom.div(
    { class: "stack" },
    dom.p(
      { class: "small soft" },
      errors.length === 0
        ? "No page failed."
        : `${pluralize(errors.length, "page")} failed, for ${pluralize(sorted.length, "cause")}.`,
    ),
    ...sorted.map((list) =>
      group(
        list[0]?.code ?? list[0]?.error ?? "",
        list.map((one) => one.url),
        list[0]?.error ?? "",
      ),
    ),
    robotsBlocked.length > 0 &&
      group("robots.txt forbids them", robotsBlocked, "Set ignoreRobotsTxt to fetch them anyway."),
  );
}
