// Creates a monitor: what to check, when, which part, which changes notify, and where. The estimate
// follows the fields.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatLocal, formatNumber } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { errorBox } from "../../ui/feedback.ts";
import { Field, segments, select, textInput } from "../../ui/fields.ts";
import { toSchedule } from "./monitor-facts.ts";

export type MonitorFormProps = {
  readonly url: string;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
};

type Fields = {
  readonly name: string;
  readonly target: "scrape" | "crawl" | "map";
  readonly urls: string;
  readonly schedule: string;
  readonly include: string;
  readonly exclude: string;
  readonly condition: string;
  readonly conditionText: string;
  readonly conditionNumber: string;
  readonly channel: string;
  readonly address: string;
};

const CONDITIONS = [
  ["", "Any change"],
  ["textAppears", "A text appears"],
  ["textDisappears", "A text disappears"],
  ["numberBelow", "A number falls below"],
  ["numberAbove", "A number rises above"],
  ["numberChangedByPercent", "A number changes by percent"],
  ["titleChanged", "The title changes"],
  ["newUrls", "New links"],
] as const;

const CHANNELS = [
  ["", "None: look here, or use the Atom feed"],
  ["webhook", "Webhook"],
  ["slack", "Slack"],
  ["discord", "Discord"],
  ["teams", "Teams"],
  ["mattermost", "Mattermost"],
  ["ntfy", "ntfy"],
  ["email", "E-mail"],
] as const;

const ESTIMATE_MS = 400;

const toList = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

function toTarget({ target, urls, include, exclude }: Fields): object {
  const list = urls.split(/\s+/).filter((part) => part !== "");
  const scrapeOptions = {
    ...(include.trim() === "" ? {} : { includeTags: toList(include) }),
    ...(exclude.trim() === "" ? {} : { excludeTags: toList(exclude) }),
  };
  const scoped = Object.keys(scrapeOptions).length === 0 ? {} : { scrapeOptions };
  if (target === "scrape") return { type: target, urls: list, ...scoped };
  return { type: target, url: list[0] ?? "", ...(target === "crawl" ? scoped : {}) };
}

function toCondition({ condition, conditionText, conditionNumber }: Fields): object | undefined {
  if (condition === "") return undefined;
  if (condition.startsWith("number"))
    return { type: condition, near: conditionText, value: Number(conditionNumber) };
  return condition.startsWith("text")
    ? { type: condition, text: conditionText }
    : { type: condition };
}

function toBody(fields: Fields): object {
  const condition = toCondition(fields);
  const { name, urls, schedule, channel, address } = fields;
  return {
    name: name.trim() === "" ? (urls.trim().split(/\s+/)[0] ?? "").slice(0, 256) : name.trim(),
    schedule: toSchedule(schedule),
    targets: [toTarget(fields)],
    ...(condition === undefined ? {} : { when: { conditions: [condition] } }),
    ...(channel === "" || address.trim() === ""
      ? {}
      : {
          channels: [
            channel === "email"
              ? { type: channel, to: toList(address) }
              : { type: channel, url: address.trim() },
          ],
        }),
  };
}

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
    ? "Give an address to see the next checks and the credits of a month."
    : (fault ??
      (estimate === undefined
        ? "…"
        : `Next: ${estimate.nextRuns.slice(0, 3).map(formatLocal).join(", ")}. About ${formatNumber(estimate.estimatedCreditsPerMonth)} credits a month.`));
  return dom.p(
    { class: !isEmpty && fault !== undefined ? "notice small" : "small soft", role: "status" },
    words,
  );
}

export function MonitorForm({ url, onClose, onSaved }: MonitorFormProps): VNode {
  const [fields, setFields] = useState<Fields>({
    name: "",
    target: "scrape",
    urls: url,
    schedule: "every 15 minutes",
    include: "",
    exclude: "",
    condition: "",
    conditionText: "",
    conditionNumber: "",
    channel: "",
    address: "",
  });
  const [fault, setFault] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const set = (change: Partial<Fields>): void => setFields({ ...fields, ...change });
  const save = async (): Promise<void> => {
    setSaving(true);
    setFault(undefined);
    try {
      const { data } = await call<{ data: { id: string } }>("POST", "/v2/monitor", {
        body: toBody(fields),
      });
      onSaved(data.id);
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
      setSaving(false);
    }
  };
  const text = (
    name: "name" | "urls" | "schedule" | "include" | "exclude" | "address" | "conditionText",
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
    name: "condition" | "channel",
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
  const isNumber = fields.condition.startsWith("number");
  return dialog({
    title: "New monitor",
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
      text("urls", fields.target === "scrape" ? "Addresses, one a line" : "Address of the site", {
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
      fields.target !== "map" &&
        dom.div(
          { class: "form-pair" },
          text("include", "Only these elements", {
            mono: true,
            placeholder: ".price, #stock",
            help: "CSS selectors; empty for the whole page.",
          }),
          text("exclude", "Without these elements", { mono: true, placeholder: ".banner" }),
        ),
      dom.div(
        { class: "form-pair" },
        choice("condition", "Notify on", CONDITIONS),
        (isNumber || fields.condition.startsWith("text")) &&
          text("conditionText", isNumber ? "Number after the text" : "Text", {
            placeholder: isNumber ? "Price" : "Sold out",
          }),
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
      dom.div(
        { class: "form-pair" },
        choice("channel", "Tell me by", CHANNELS),
        fields.channel !== "" &&
          text("address", fields.channel === "email" ? "Recipients" : "Address", {
            mono: true,
            help:
              fields.channel === "email"
                ? "Needs QUARRY_SMTP_URL on the server."
                : "Stored encrypted and never shown again.",
          }),
      ),
      create(EstimateLine, { fields }),
    ),
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({
        label: isSaving ? "Saving …" : "Create the monitor",
        kind: "primary",
        disabled: isSaving || fields.urls.trim() === "",
        onClick: () => void save(),
      }),
    ],
  });
}
