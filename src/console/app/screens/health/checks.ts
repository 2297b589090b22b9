// Results of doctor on the running server, and what to do about them.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { formatBytes, pluralize } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { icon } from "../../ui/icons.ts";
import { useLoad } from "../../ui/use-load.ts";
import { tiles } from "../../ui/values.ts";

type Diagnosis = {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly findings: readonly string[];
  readonly tried: readonly string[];
  readonly problems: readonly string[];
};

/** "browser   bundled with …" and "browser: Chromium …" as name and text. */
function split(line: string): readonly [string, string] {
  const [, name = "", text = line] = /^([\w ]{2,24}?)(?:\s{2,}|:\s)(.+)$/.exec(line) ?? [];
  return [name, text];
}

const rowOf = (line: string, state: "ok" | "warn" | "bad"): VNode => {
  const [name, text] = split(line);
  const symbols = { ok: "check", warn: "warn", bad: "cross" } as const;
  return dom.li(
    { key: line, class: `check-row ${state}` },
    icon(symbols[state]),
    dom.span({ class: "check-name" }, name),
    dom.span({ class: "break" }, text),
    dom.span(
      { class: "visually-hidden" },
      { ok: "in order", warn: "a warning", bad: "a problem" }[state],
    ),
  );
};

export function Checks(): VNode {
  const loaded = useLoad(
    async (signal) => (await call<{ data: Diagnosis }>("GET", "/admin/diagnosis", { signal })).data,
    [],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined)
    return dom.div(
      { class: "stack" },
      dom.p({ class: "small soft" }, "Starting the browser and asking the models …"),
      skeleton(6),
    );
  const { problems, findings, tried, version, node, platform, cpus, memoryMiB } = loaded.value;
  const isWarning = (line: string): boolean => /\bwarning\b/i.test(line);
  return dom.div(
    { class: "stack gap-l" },
    dom.div(
      { class: "row wrap spread" },
      dom.strong(
        { class: problems.length === 0 ? "good-text" : "red-text" },
        problems.length === 0
          ? "All required checks pass."
          : `${pluralize(problems.length, "problem")} to fix`,
      ),
      button({ label: "Check again", icon: "again", small: true, onClick: loaded.reload }),
    ),
    dom.section(
      { class: "panel" },
      dom.ul(
        { class: "check-list" },
        ...problems.map((line) => rowOf(line, "bad")),
        ...tried.map((line) => rowOf(line, isWarning(line) ? "warn" : "ok")),
        ...findings.map((line) => rowOf(line, "ok")),
      ),
    ),
    tiles(
      { label: "Version", value: version },
      { label: "Node", value: node },
      { label: "System", value: platform },
      { label: "Processors", value: cpus },
      { label: "Memory", value: formatBytes(memoryMiB * 2 ** 20) },
    ),
  );
}
