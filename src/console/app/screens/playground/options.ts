// All options of a mode in groups. The most used groups are open.
import type { ComponentChildren, VNode } from "preact";
import { isOffered, loadBodySchema, type JsonSchema } from "../../data/contract.ts";
import { loadCapabilities } from "../../data/capabilities.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { useLoad } from "../../ui/use-load.ts";
import { Actions, type Action } from "./actions-list.ts";
import { Formats, type FormatEntry } from "./formats.ts";
import type { Mode, Options } from "./modes.ts";
import { SchemaField } from "./schema-form.ts";

/** Groups of options in display order; unlisted options come last. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    "Which pages",
    [
      "limit",
      "maxDiscoveryDepth",
      "includePaths",
      "excludePaths",
      "search",
      "sitemap",
      "crawlEntireDomain",
      "allowSubdomains",
      "includeSubdomains",
      "allowExternalLinks",
      "strictConstrainToURLs",
      "ignoreQueryParameters",
      "deduplicateSimilarURLs",
      "regexOnFullURL",
      "filterByPath",
      "sources",
      "categories",
      "includeDomains",
      "excludeDomains",
    ],
  ],
  ["What to find", ["prompt", "schema", "systemPrompt", "urls", "effort", "maxCredits", "mode"]],
  [
    "Content",
    [
      "onlyMainContent",
      "includeTags",
      "excludeTags",
      "parsers",
      "removeBase64Images",
      "onlyCleanContent",
      "redactPII",
      "onBlocked",
    ],
  ],
  [
    "Fetch",
    [
      "waitFor",
      "scroll",
      "timeout",
      "mobile",
      "headers",
      "location",
      "proxy",
      "blockAds",
      "skipTlsVerification",
      "profile",
      "maxConcurrency",
      "delay",
      "ignoreRobotsTxt",
      "robotsUserAgent",
    ],
  ],
  [
    "Cache and privacy",
    ["maxAge", "minAge", "storeInCache", "lockdown", "zeroDataRetention", "ignoreCache"],
  ],
];

const OPEN = new Set(["Which pages", "What to find", "Content"]);

export type OptionsProps = {
  readonly mode: Mode;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  /** Placed beside the heading. */
  readonly tools: ComponentChildren;
};

function without(options: Options, name: string): Options {
  const { [name]: _removed, ...rest } = options;
  return rest;
}

function groupProperties(schema: JsonSchema, taken: string): [string, [string, JsonSchema][]][] {
  const offered = Object.entries(schema.properties ?? {}).filter(
    ([name, part]) =>
      name !== taken && name !== "formats" && name !== "actions" && isOffered(name, part),
  );
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const groups = GROUPS.map(([title, names]): [string, [string, JsonSchema][]] => [
    title,
    names.flatMap((name) => offered.filter(([offeredName]) => offeredName === name)),
  ]);
  return [...groups, ["More", offered.filter(([name]) => !named.has(name))]];
}

function fold(
  title: string,
  changed: number,
  isOpen: boolean,
  ...children: ComponentChildren[]
): VNode {
  return dom.details(
    { key: title, class: "fold", open: isOpen },
    dom.summary(
      null,
      dom.span(null, title),
      changed > 0 && dom.span({ class: "badge" }, `${changed} set`),
    ),
    dom.div({ class: "stack fold-body" }, ...children),
  );
}

export function OptionsForm({ mode, options, onChange, tools }: OptionsProps): VNode {
  const path = mode.field === "file" ? "/v2/scrape" : mode.path;
  const schema = useLoad(() => loadBodySchema(path), [path]);
  const capabilities = useLoad(loadCapabilities, []);
  if (schema.state === "failed") return errorBox(schema.error, schema.reload);
  if (schema.value === undefined)
    return dom.div(
      { class: "options-loading" },
      dom.div({ class: "panel-head" }, dom.h2(null, "Options")),
      dom.div({ class: "panel-body" }, skeleton(9)),
    );
  const { properties = {} } = schema.value;
  const set = (name: string, value: unknown): void =>
    onChange(value === undefined ? without(options, name) : { ...options, [name]: value });
  const formats = properties["formats"];
  const actions = properties["actions"];
  const chosen = (options["formats"] ?? ["markdown"]) as readonly FormatEntry[];
  const steps = (options["actions"] ?? []) as readonly Action[];
  const groups = groupProperties(schema.value, mode.field).filter(
    ([, fields]) => fields.length > 0,
  );
  const count = Object.keys(options).length;
  return dom.div(
    { class: "options" },
    dom.div(
      { class: "panel-head" },
      dom.h2({ class: "grow" }, "Options"),
      tools,
      count > 0 &&
        button({ label: "Reset", kind: "quiet", small: true, onClick: () => onChange({}) }),
    ),
    formats !== undefined &&
      fold(
        "Formats",
        0,
        true,
        create(Formats, {
          schema: formats,
          value: chosen,
          available: capabilities.value?.formats,
          onChange: (value) =>
            set("formats", value.length === 1 && value[0] === "markdown" ? undefined : value),
        }),
      ),
    ...groups.map(([title, fields], index) =>
      fold(
        title,
        fields.filter(([name]) => name in options).length,
        OPEN.has(title) && index < 2,
        ...fields.map(([name, part]) =>
          create(SchemaField, {
            key: `${mode.id} ${name}`,
            name,
            schema: part,
            value: options[name],
            onChange: (value) => set(name, value),
          }),
        ),
      ),
    ),
    actions !== undefined &&
      fold(
        "Actions",
        steps.length,
        steps.length > 0,
        dom.span({ class: "help" }, actions.description),
        create(Actions, {
          schema: actions,
          value: steps,
          onChange: (value) => set("actions", value.length === 0 ? undefined : value),
        }),
      ),
  );
}
