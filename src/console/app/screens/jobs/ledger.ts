import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LedgerEntry } from "../../../../contract/jobs/ledger.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { button, linkButton } from "../../ui/button.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { icon } from "../../ui/icons.ts";
import { badge, statusBadge, type Tone } from "../../ui/status.ts";
import { meter, type MeterPart } from "../../ui/values.ts";
import { virtualList } from "../../ui/virtual-list.ts";
import { FATE_COLORS, FATE_WORDS } from "./job-facts.ts";
import { addToTree, createTree, findFirstOpen, listRows, type SiteNode } from "./ledger-tree.ts";
import { readLedger, readSums, type LedgerSums } from "./read-ledger.ts";

/** Larger ledgers are shown partly; the export has all entries. */
const MAX_ENTRIES = 200_000;
const ROW_HEIGHT = 34;
const LIST_HEIGHT = 560;
const REFRESH_MS = 4_000;
const MAX_REFRESHED = 5_000;

export type LedgerProps = { readonly path: string; readonly isRunning: boolean };

/** The entries read so far. They grow in place: `count` tells that they did. */
type Ledger = {
  readonly root: SiteNode;
  readonly entries: LedgerEntry[];
  readonly count: number;
  /** True when nothing more is read. */
  readonly isRead: boolean;
  readonly isWhole: boolean;
};

const emptyLedger = (): Ledger => ({
  root: createTree(),
  entries: [],
  count: 0,
  isRead: false,
  isWhole: false,
});

const toMeter = (sums: Iterable<readonly [string, number]>, total: number): MeterPart[] =>
  [...sums].map(([fate, number]) => ({
    share: number / total,
    color: FATE_COLORS[fate] ?? "gray",
    label: `${formatNumber(number)} ${FATE_WORDS[fate] ?? fate}`,
  }));

export function sumBar(
  sums: Readonly<Record<string, number>>,
  total: number,
  chosen: string | undefined,
  onChoose: (fate: string | undefined) => void,
): VNode {
  const entries = Object.entries(sums).toSorted(([, one], [, other]) => other - one);
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "big-meter" },
      meter(
        toMeter(entries, Math.max(1, total)),
        entries.map(([fate, number]) => `${number} ${FATE_WORDS[fate] ?? fate}`).join(", "),
      ),
    ),
    dom.div(
      { class: "chips", role: "group", "aria-label": "Fates" },
      ...entries.map(([fate, number]) =>
        dom.button(
          {
            key: fate,
            type: "button",
            class: "chip",
            "aria-pressed": chosen === fate,
            onClick: () => onChoose(chosen === fate ? undefined : fate),
          },
          dom.span({ class: `dot fill-${FATE_COLORS[fate] ?? "gray"}` }),
          FATE_WORDS[fate] ?? fate,
          dom.strong({ class: "num" }, formatNumber(number)),
        ),
      ),
      dom.span(
        { class: "tiny faint num sum-note" },
        `sum ${formatNumber(entries.reduce((sum, [, number]) => sum + number, 0))} of ${pluralize(total, "URL")} seen`,
      ),
    ),
  );
}

function fateBadge(fate: string): VNode {
  const color = FATE_COLORS[fate] ?? "gray";
  const tone = (color === "line" ? "gray" : color) as Tone;
  return badge(
    FATE_WORDS[fate] ?? fate,
    tone,
    fate === "fetched" ? "check" : fate === "error" ? "warn" : fate === "working" ? "run" : "dash",
  );
}

function leafRow(entry: LedgerEntry, name: string, depth: number): VNode {
  return dom.div(
    { class: "row grow tree-leaf", style: { paddingInlineStart: `${depth * 18 + 22}px` } },
    icon("file", { size: 14, class: "faint" }),
    dom.span({ class: "url truncate tree-name", title: entry.url }, name),
    entry.reason !== undefined &&
      dom.span(
        { class: "tiny faint truncate tree-reason", title: entry.reason, dir: "auto" },
        entry.reason,
      ),
    // Fetched is its fate; whether it has content is its verdict.
    dom.span(
      { class: "row" },
      entry.verdict !== undefined && entry.verdict !== "content" && statusBadge(entry.verdict),
      fateBadge(entry.fate),
    ),
    copyButton(entry.url, "Copy the URL"),
  );
}

function folderRow(node: SiteNode, depth: number, isOpen: boolean, toggle: () => void): VNode {
  return dom.button(
    {
      type: "button",
      class: "tree-folder",
      style: { paddingInlineStart: `${depth * 18}px` },
      "aria-expanded": isOpen,
      onClick: toggle,
    },
    icon("chevron", { size: 12, class: isOpen ? "turned" : "" }),
    icon("folder", { size: 14, class: "faint" }),
    dom.span({ class: "url truncate tree-name" }, node.name),
    dom.span({ class: "num small tree-count" }, formatNumber(node.total)),
    dom.span(
      { class: "tree-meter" },
      meter(
        toMeter(node.sums, node.total),
        [...node.sums].map(([fate, number]) => `${number} ${FATE_WORDS[fate] ?? fate}`).join(", "),
      ),
    ),
  );
}

function Tree({ ledger }: { readonly ledger: Ledger }): VNode {
  const { root, count } = ledger;
  // Until a folder is opened or closed, those without siblings are open.
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const open = useMemo(() => chosen ?? findFirstOpen(root), [root, count, chosen]);
  const rows = useMemo(() => listRows(root, open), [root, count, open]);
  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setChosen(next);
  };
  return virtualList({
    label: "The site as a tree",
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    height: LIST_HEIGHT,
    row: (index) => {
      const at = rows[index];
      if (at === undefined) return undefined;
      const { entry, children, name } = at.node;
      return children === undefined && entry !== undefined
        ? leafRow(entry, name, at.depth)
        : folderRow(at.node, at.depth, at.isOpen, () => toggle(at.node.path));
    },
  });
}

function Flat({ entries }: { readonly entries: readonly LedgerEntry[] }): VNode {
  return virtualList({
    label: "URLs",
    count: entries.length,
    rowHeight: ROW_HEIGHT,
    height: LIST_HEIGHT,
    row: (index) => {
      const entry = entries[index];
      return entry && leafRow(entry, entry.url.replace(/^https?:\/\//, ""), -1);
    },
  });
}

export function LedgerView({ path, isRunning }: LedgerProps): VNode {
  const [sums, setSums] = useState<LedgerSums>();
  const [ledger, setLedger] = useState(emptyLedger);
  const [fault, setFault] = useState<Error>();
  const [fate, setFate] = useState<string>();
  const [text, setText] = useState("");
  const [turn, setTurn] = useState(0);
  const isRefresh = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async (): Promise<void> => {
      const next = emptyLedger();
      const show = (isRead: boolean, isWhole: boolean): void =>
        setLedger({ ...next, count: next.entries.length, isRead, isWhole });
      const reading = readLedger(path, MAX_ENTRIES, signal, (part) => {
        addToTree(next.root, part);
        for (const entry of part) next.entries.push(entry);
        // A refreshed list is replaced when it is complete, so that it does not jump.
        if (!isRefresh.current) show(false, false);
      });
      const [isWhole] = await Promise.all([reading, readSums(path, signal).then(setSums)]);
      show(true, isWhole);
      isRefresh.current = true;
      setFault(undefined);
    };
    load().catch((error: unknown) => {
      if (!signal.aborted) setFault(error instanceof Error ? error : new Error(String(error)));
    });
    return () => controller.abort();
  }, [path, turn, isRunning]);
  useEffect(() => {
    if (!isRunning || !ledger.isRead || ledger.count > MAX_REFRESHED) return undefined;
    const timer = setTimeout(() => setTurn((count) => count + 1), REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isRunning, ledger]);

  const isFlat = fate !== undefined || text !== "";
  const shown = useMemo(() => {
    if (!isFlat) return [];
    const words = text.toLowerCase();
    return ledger.entries.filter(
      (entry) =>
        (fate === undefined || entry.fate === fate) &&
        (words === "" || entry.url.toLowerCase().includes(words)),
    );
  }, [ledger, fate, text]);
  if (fault !== undefined) return errorBox(fault, () => setTurn((count) => count + 1));
  if (sums === undefined || (ledger.count === 0 && !ledger.isRead))
    return dom.div({ class: "stack" }, skeleton(8));
  if (sums.total === 0)
    return empty({
      icon: "folder",
      title: "No URLs yet",
      text: "Links are listed here with their outcomes as the crawl finds them.",
    });
  return dom.div(
    { class: "stack" },
    sumBar(sums.sums, sums.total, fate, setFate),
    dom.div(
      { class: "row wrap" },
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "ledger",
        "aria-label": "Part of the URL",
        placeholder: "Part of the URL  ( / )",
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
      }),
      dom.span(
        { class: "small soft num grow", role: "status" },
        [
          isFlat && pluralize(shown.length, "URL"),
          !ledger.isRead && `${formatNumber(ledger.count)} of ${formatNumber(sums.total)} read …`,
        ]
          .filter((part) => part !== false)
          .join(", "),
      ),
      isRunning &&
        button({
          label: "Refresh",
          small: true,
          icon: "again",
          onClick: () => setTurn((count) => count + 1),
        }),
      linkButton(`${path}/ledger?format=csv`, "CSV", { small: true, icon: "download" }),
    ),
    ledger.isRead &&
      !ledger.isWhole &&
      dom.p(
        { class: "notice" },
        `The first ${formatNumber(ledger.count)} of ${formatNumber(sums.total)} URLs are shown; the CSV has all.`,
      ),
    dom.div(
      { class: "panel tree" },
      isFlat ? create(Flat, { entries: shown }) : create(Tree, { ledger }),
    ),
  );
}
