// Creates or edits a monitor: what to check, when, which part, which changes notify, and where. The
// estimate follows the fields; an edit can be tried over the stored versions first.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { formatLocal, formatNumber } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { errorBox } from "../../ui/feedback.ts";
import { Field, segments, select, textInput, Toggle } from "../../ui/fields.ts";
import { ChannelFields } from "./channel-fields.ts";
import { CHANNEL_TYPES, isComplete } from "./channel-types.ts";
import { ElementFields } from "./element-fields.ts";
import { MonitorDryRun } from "./monitor-dry-run.ts";
import { PictureFields } from "./picture-fields.ts";
import {
  EMPTY_FIELDS,
  readFields,
  readScrapeOptions,
  toBody,
  toChanges,
  toTriedRules,
  type Fields,
  type ScopeKind,
} from "./monitor-fields.ts";

export type MonitorFormProps = {
  /** Edits this one; without it, a new one is created. */
  readonly monitor?: Monitor;
  readonly url?: string;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
};

const CONDITIONS = [
  ["", "Any change"],
  ["textAppears", "A text appears"],
  ["textDisappears", "A text disappears"],
  ["numberBelow", "A number falls below"],
  ["numberAbove", "A number rises above"],
  ["numberChangedByPercent", "A number changes by percent"],
  ["textAdded", "A changed line contains a text"],
  ["textRemoved", "A removed line contains a text"],
  ["titleChanged", "The title changes"],
  ["statusChanged", "The status changes"],
  ["redirectChanged", "The redirect changes"],
  ["newUrls", "New links"],
] as const;

const SCOPES: readonly (readonly [ScopeKind, string])[] = [
  ["text", "The text with its links"],
  ["textOnly", "The text without links and markup"],
  ["lines", "Lines that match"],
  ["jsonPaths", "Values of a JSON API"],
  ["fields", "Fields of the page’s json"],
  ["structure", "The structure, without the text"],
  ["picture", "A picture of the page"],
];

const CHANNELS = [["", "None: view changes here or in the feed"], ...CHANNEL_TYPES] as const;

const ESTIMATE_MS = 400;

type Estimate = { readonly nextRuns: readonly string[]; readonly estimatedCreditsPerMonth: number };

/** Next runs and credits of a month, for as far as the fields are right. */
function EstimateLine({ fields }: { readonly fields: Fields }): VNode {
  const [estimate, setEstimate] = useState<Estimate>();
  const [fault, setFault] = useState<string>();
  const text = JSON.stringify(toBody(fields));
  const isEmpty = fields.urls.trim() === "" || fields.schedule.trim() === "";
  useEffect(() => {
    if (isEmpty) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      call<{ data: Estimate }>("POST", "/v2/monitor/estimate", {
        body: JSON.parse(text) as object,
        signal: controller.signal,
      }).then(
        ({ data }) => {
          setEstimate(data);
          setFault(undefined);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setFault(error instanceof Error ? error.message : "");
        },
      );
    }, ESTIMATE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, isEmpty]);
  const words = isEmpty
    ? "Enter a URL to see the next checks and the credits per month."
    : (fault ??
      (estimate === undefined
        ? "…"
        : `Next: ${estimate.nextRuns.slice(0, 3).map(formatLocal).join(", ")}. About ${formatNumber(estimate.estimatedCreditsPerMonth)} credits a month.`));
  return dom.p(
    { class: !isEmpty && fault !== undefined ? "notice small" : "small soft", role: "status" },
    words,
  );
}

type TextField = {
  [Name in keyof Fields]: Fields[Name] extends string ? Name : never;
}[keyof Fields];

export function MonitorForm({ monitor, url = "", onClose, onSaved }: MonitorFormProps): VNode {
  const [fields, setFields] = useState<Fields>(
    monitor === undefined ? { ...EMPTY_FIELDS, urls: url } : readFields(monitor),
  );
  const [fault, setFault] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const [tried, setTried] = useState<object>();
  const set = (change: Partial<Fields>): void => setFields({ ...fields, ...change });
  const changes = monitor === undefined ? undefined : toChanges(monitor, fields);
  const isSame = changes !== undefined && Object.keys(changes).length === 0;
  const save = async (): Promise<void> => {
    setSaving(true);
    setFault(undefined);
    try {
      const { data } =
        monitor === undefined
          ? await call<{ data: { id: string } }>("POST", "/v2/monitor", { body: toBody(fields) })
          : await call<{ data: { id: string } }>("PATCH", `/v2/monitor/${monitor.id}`, {
              body: changes ?? {},
            });
      onSaved(data.id);
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
      setSaving(false);
    }
  };
  const text = (
    name: TextField,
    label: string,
    more: { help?: string; placeholder?: string; mono?: boolean; rows?: number } = {},
  ): VNode =>
    create(Field, {
      label,
      ...(more.help !== undefined && { help: more.help }),
      control: (ties) =>
        textInput({
          ...ties,
          value: fields[name],
          mono: more.mono ?? false,
          ...(more.placeholder !== undefined && { placeholder: more.placeholder }),
          ...(more.rows !== undefined && { rows: more.rows }),
          onInput: (value) => set({ [name]: value }),
        }),
    });
  const choice = (
    name: "condition" | "channel" | "scope",
    label: string,
    options: readonly (readonly [string, string])[],
  ): VNode =>
    create(Field, {
      label,
      control: (ties) =>
        select({
          ...ties,
          value: fields[name],
          options: options.map(([value, words]) => ({ value, label: words })),
          onChange: (value) => set({ [name]: value }),
        }),
    });
  const scrapeOptions = readScrapeOptions(monitor);
  const isNumber = fields.condition.startsWith("number");
  const isOfPages = fields.target === "scrape" || fields.target === "crawl";
  return dialog({
    title: monitor === undefined ? "New monitor" : `Edit ${monitor.name}`,
    class: "wide",
    onClose,
    body: dom.form(
      {
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          void save();
        },
      },
      fault !== undefined && errorBox(fault),
      monitor !== undefined &&
        monitor.targets.length > 1 &&
        dom.p(
          { class: "notice small" },
          `The fields are those of the first of ${monitor.targets.length} targets; the others stay as they are.`,
        ),
      monitor === undefined &&
        segments({
          label: "What to check",
          value: fields.target,
          options: [
            { value: "scrape", label: "Pages" },
            { value: "crawl", label: "A whole site" },
            { value: "map", label: "The list of a site’s pages" },
          ],
          onChange: (target) => set({ target: target as Fields["target"] }),
        }),
      fields.target !== "search" &&
        text("urls", fields.target === "scrape" ? "URLs, one per line" : "URL of the site", {
          mono: true,
          rows: fields.target === "scrape" ? 2 : 1,
          placeholder: "https://shop.example/lamp",
        }),
      dom.div(
        { class: "form-pair" },
        text("schedule", "When", {
          help: "In words, such as “weekdays at 8:30”, or cron with five fields.",
        }),
        text("name", "Name", { placeholder: "The first address" }),
      ),
      isOfPages && scopeFields({ fields, scrapeOptions, set, text, choice }),
      isOfPages && create(ElementFields, { fields, scrapeOptions, onChange: set }),
      dom.div(
        { class: "form-pair" },
        choice("condition", "Notify on", CONDITIONS),
        (isNumber || fields.condition.startsWith("text")) &&
          text(
            "conditionText",
            isNumber ? "Number after the text (empty: the first number)" : "Text",
            {
              placeholder: isNumber ? "Price" : "Sold out",
            },
          ),
        isNumber &&
          create(Field, {
            label: "Value",
            control: (ties) =>
              textInput({
                ...ties,
                type: "number",
                value: fields.conditionNumber,
                onInput: (conditionNumber) => set({ conditionNumber }),
              }),
          }),
      ),
      text("goal", "Goal", {
        rows: 2,
        placeholder: "Tell me when it is sold out. Ignore the price.",
        help: "Which changes matter. A model judges them; without one, rules on the words of the goal do.",
      }),
      detectionFields(fields, set, text),
      monitor === undefined &&
        dom.div(
          { class: "form-pair" },
          choice("channel", "Notify me by", CHANNELS),
          fields.channel !== "" &&
            create(ChannelFields, {
              type: fields.channel,
              values: fields.channelValues,
              onChange: (channelValues) => set({ channelValues }),
            }),
        ),
      monitor === undefined && create(EstimateLine, { fields }),
      monitor !== undefined &&
        tried !== undefined &&
        create(MonitorDryRun, { key: JSON.stringify(tried), monitor, rules: tried }),
    ),
    foot: [
      monitor !== undefined &&
        button({
          label: "Try on stored versions",
          title: "Which changes so far would have counted and notified",
          onClick: () => setTried(toTriedRules(monitor, fields)),
        }),
      button({ label: "Cancel", onClick: onClose }),
      button({
        label: isSaving
          ? "Saving …"
          : monitor === undefined
            ? "Create the monitor"
            : "Save the changes",
        kind: "primary",
        disabled:
          isSaving ||
          isSame ||
          (fields.target !== "search" && fields.urls.trim() === "") ||
          (fields.channel !== "" && !isComplete(fields.channel, fields.channelValues)),
        onClick: () => void save(),
      }),
    ],
  });
}

type WriteText = (
  name: TextField,
  label: string,
  more?: { help?: string; placeholder?: string; mono?: boolean; rows?: number },
) => VNode;
type WriteChoice = (
  name: "condition" | "channel" | "scope",
  label: string,
  options: readonly (readonly [string, string])[],
) => VNode;

/** Fields for the compared part of a page. */
function scopeFields({
  fields,
  scrapeOptions,
  set,
  text,
  choice,
}: {
  readonly fields: Fields;
  readonly scrapeOptions: Readonly<Record<string, unknown>>;
  readonly set: (change: Partial<Fields>) => void;
  readonly text: WriteText;
  readonly choice: WriteChoice;
}): VNode {
  const rows = { mono: true, rows: 2 };
  return dom.div(
    { class: "stack" },
    choice("scope", "Compare", SCOPES),
    fields.scope === "lines" &&
      dom.div(
        { class: "form-pair" },
        text("scopeList", "Only lines matching", {
          ...rows,
          placeholder: "^Price",
          help: "RE2 patterns, one per line.",
        }),
        text("scopeWithout", "No lines matching", { ...rows, placeholder: "visitors" }),
      ),
    fields.scope === "jsonPaths" &&
      text("scopeList", "JSON paths, one per line", {
        ...rows,
        placeholder: "$.items[*].price",
        help: "The address answers JSON. RFC 9535 without filters.",
      }),
    fields.scope === "fields" &&
      text("scopeList", "Fields, one per line", {
        ...rows,
        placeholder: "offer.price",
        help: "The target needs the format json, which the API sets in scrapeOptions.",
      }),
    fields.scope === "picture" && create(PictureFields, { fields, scrapeOptions, onChange: set }),
  );
}

/** Which differences count. */
function detectionFields(
  fields: Fields,
  set: (change: Partial<Fields>) => void,
  text: WriteText,
): VNode {
  const rows = { mono: true, rows: 2 };
  return dom.details(
    { class: "fold panel" },
    dom.summary(null, "Which differences count"),
    dom.div(
      { class: "fold-body stack" },
      create(Toggle, {
        label: "Ignore noise",
        help: "Counters, dates, rotating blocks and parts learned as unstable.",
        checked: fields.ignoreNoise,
        onChange: (ignoreNoise) => set({ ignoreNoise }),
      }),
      dom.div(
        { class: "form-pair" },
        text("ignore", "Lines that never count", {
          ...rows,
          help: "RE2 patterns, one per line.",
          placeholder: "^Updated",
        }),
        text("watch", "Lines that always count", { ...rows, placeholder: "^Price" }),
      ),
      create(Field, {
        label: "Fetches that confirm a change",
        help: "0 to 5.",
        control: (ties) =>
          textInput({
            ...ties,
            type: "number",
            value: fields.confirmations,
            onInput: (confirmations) => set({ confirmations }),
          }),
      }),
    ),
  );
}
