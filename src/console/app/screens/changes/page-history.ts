// The versions of one page, and the difference between any two of them.
import type { VNode } from "preact";
import type {
  HistoryDiff,
  PageHistory,
  PageVersion,
} from "../../../../contract/page/change-history.ts";
import { call } from "../../data/api.ts";
import { formatLocalSeconds, pluralize, toText } from "../../data/format.ts";
import { useKeys } from "../../data/keys.ts";
import { place, setQuery } from "../../router.ts";
import { linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { diffView, type DiffHunk } from "../../ui/diff-view.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { segments, select, Toggle } from "../../ui/fields.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { badge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time, url } from "../../ui/values.ts";
import type { ScreenProps } from "../screen-view.ts";

type Shown = { readonly history: PageHistory; readonly versions: readonly PageVersion[] };

const KINDS = { add: "added", del: "removed", normal: "same" } as const;

function toHunks({ diff }: HistoryDiff): DiffHunk[] {
  return (diff?.json.files ?? []).flatMap(({ chunks }) =>
    chunks.map(({ content, changes }) => ({
      start: Number(/^@@ -(\d+)/.exec(content)?.[1] ?? 1),
      lines: changes.map((change) => ({
        kind: KINDS[change.type],
        text: change.content.slice(1),
        isNoise: change.noise === true,
      })),
    })),
  );
}

/** The fields of the format json that differ. */
export function fieldTable(fields: Readonly<Record<string, unknown>>): VNode {
  return dom.div(
    { class: "panel table-wrap" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Changed fields"),
      dom.thead(
        null,
        dom.tr(
          null,
          dom.th({ scope: "col" }, "Field"),
          dom.th({ scope: "col" }, "Before"),
          dom.th({ scope: "col" }, "After"),
        ),
      ),
      dom.tbody(
        null,
        ...Object.entries(fields).map(([name, change]) => {
          const { previous, current } = change as { previous?: unknown; current?: unknown };
          return dom.tr(
            { key: name },
            dom.td({ dir: "auto" }, name),
            dom.td({ class: "red-text", dir: "auto" }, toText(previous ?? "–")),
            dom.td({ class: "green-text", dir: "auto" }, toText(current ?? "–")),
          );
        }),
      ),
    ),
  );
}

function difference(compared: HistoryDiff, mode: string): VNode {
  const { json, noise, changed } = compared;
  const hunks = toHunks(compared);
  const fields = Object.keys(json ?? {}).length;
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap small soft" },
      changed ? badge("changed", "amber", "changes") : badge("same", "gray", "dash"),
      noise !== undefined && `${pluralize(noise.lines, "line")} ignored: ${noise.kinds.join(", ")}`,
      json !== undefined && `${pluralize(fields, "field")} changed`,
    ),
    mode === "fields"
      ? fields > 0
        ? fieldTable(json ?? {})
        : empty({
            icon: "table",
            title: "No fields to compare",
            text: "Values are kept by scrapes with changeTracking in mode json and a schema.",
          })
      : hunks.length === 0
        ? empty({
            icon: "check",
            title: "The texts are equal",
            text: "These two versions have the same text.",
          })
        : diffView({
            hunks,
            before: formatLocalSeconds(compared.from.fetchedAt),
            after: formatLocalSeconds(compared.to.fetchedAt),
            marksWords: mode === "words",
          }),
  );
}

export function PageHistoryScreen({ id = "" }: ScreenProps): VNode {
  const { query } = place.value;
  const loaded = useLoad((signal) => call<Shown>("GET", `/v2/changes/${id}`, { signal }), [id]);
  const versions = loaded.value?.versions ?? [];
  const to = query.get("to") ?? versions[0]?.id ?? "";
  const at = versions.findIndex((version) => version.id === to);
  const from = query.get("from") ?? versions[at + 1]?.id ?? to;
  const ignoreNoise = query.get("noise") !== "yes";
  const mode = query.get("mode") ?? "words";
  const compared = useLoad(
    async (signal) =>
      to === ""
        ? undefined
        : await call<HistoryDiff>("GET", `/v2/changes/${id}/diff`, {
            query: { from, to, ignoreNoise },
            signal,
          }),
    [id, from, to, ignoreNoise],
  );
  /** Shows what a version changed. */
  const show = (index: number): void => {
    const version = versions[index];
    if (version !== undefined) setQuery({ to: version.id, from: undefined });
  };
  useKeys([
    { keys: "j", text: "Older version", run: () => show(at + 1) },
    { keys: "k", text: "Newer version", run: () => show(at - 1) },
  ]);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(2)),
      dom.div({ class: "panel panel-body" }, skeleton(10)),
    );
  const { history } = loaded.value;
  const options = versions.map((version) => ({
    value: version.id,
    label: formatLocalSeconds(version.fetchedAt),
  }));
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: url(history.url, 90),
      parent: { href: "/console/changes", label: "Changes" },
      state: history.tag !== null && badge(`tag ${history.tag}`, "gray", "dash"),
      facts: [
        dom.span(
          null,
          `${pluralize(history.versions, "version")} since `,
          time(history.firstFetchedAt),
        ),
        history.lastChangedAt !== null &&
          dom.span(null, "· last change ", time(history.lastChangedAt)),
      ],
      actions: linkButton(
        `/console/changes?new=monitor&url=${encodeURIComponent(history.url)}`,
        "Watch this page",
        { kind: "primary", icon: "clock" },
      ),
    }),
    dom.div(
      { class: "history-columns" },
      dom.nav(
        { class: "panel version-list", "aria-label": "Versions" },
        dom.ol(
          null,
          ...versions.map((version, index) =>
            dom.li(
              { key: version.id },
              dom.button(
                {
                  type: "button",
                  class: classes("version", version.id === to && "current"),
                  "aria-pressed": version.id === to,
                  onClick: () => show(index),
                },
                dom.span({ class: classes("dot", version.changed ? "fill-amber" : "fill-gray") }),
                dom.span({ class: "grow num" }, time(version.fetchedAt)),
                dom.span(
                  { class: "tiny faint" },
                  version.changed ? "changed" : index === versions.length - 1 ? "first" : "same",
                ),
              ),
            ),
          ),
        ),
      ),
      dom.section(
        { class: "stack", "aria-label": "Comparison" },
        dom.div(
          { class: "row wrap" },
          segments({
            label: "Marks",
            value: mode,
            options: [
              { value: "words", label: "Words" },
              { value: "blocks", label: "Blocks" },
              { value: "fields", label: "Fields" },
            ],
            onChange: (next) => setQuery({ mode: next }),
          }),
          dom.div(
            { class: "row version-picks" },
            select({
              "aria-label": "Before",
              value: from,
              options,
              onChange: (next) => setQuery({ from: next, to }),
            }),
            dom.span({ class: "faint", "aria-hidden": true }, "→"),
            select({
              "aria-label": "After",
              value: to,
              options,
              onChange: (next) => setQuery({ to: next, from }),
            }),
          ),
          dom.div(
            { class: "noise-toggle" },
            create(Toggle, {
              label: "Ignore noise",
              checked: ignoreNoise,
              onChange: (checked) => setQuery({ noise: checked ? undefined : "yes" }),
            }),
          ),
        ),
        compared.state === "failed"
          ? errorBox(compared.error, compared.reload)
          : compared.value === undefined
            ? dom.div({ class: "panel panel-body" }, skeleton(8))
            : difference(compared.value, mode),
      ),
    ),
  );
}
