// Fields of the form for monitors, and the bodies that they become. Pure. An edit sends only what
// was changed, so that settings without a field stay as they are.
import { toList } from "../../data/format.ts";
import { parseBox } from "../../ui/boxes.ts";
import { isComplete, toChannel, type ChannelType, type ChannelValues } from "./channel-types.ts";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { toSchedule } from "./monitor-facts.ts";

export type ScopeKind =
  | "text"
  | "textOnly"
  | "lines"
  | "fields"
  | "jsonPaths"
  | "structure"
  | "picture";

export type Fields = {
  readonly name: string;
  readonly target: string;
  readonly urls: string;
  readonly schedule: string;
  readonly include: string;
  readonly exclude: string;
  readonly scope: ScopeKind;
  /** Patterns, fields or paths of the scope, one per line. */
  readonly scopeList: string;
  readonly scopeWithout: string;
  /** Left, top, width and height in pixels; empty for the window. */
  readonly region: string;
  /** The same, one per line. */
  readonly masks: string;
  readonly threshold: string;
  readonly condition: string;
  readonly conditionText: string;
  readonly conditionNumber: string;
  readonly confirmations: string;
  readonly ignoreNoise: boolean;
  readonly ignore: string;
  readonly watch: string;
  /** Which changes matter, in words. */
  readonly goal: string;
  readonly channel: ChannelType | "";
  readonly channelValues: ChannelValues;
};

export const EMPTY_FIELDS: Fields = {
  name: "",
  target: "scrape",
  urls: "",
  schedule: "every 15 minutes",
  include: "",
  exclude: "",
  scope: "text",
  scopeList: "",
  scopeWithout: "",
  region: "",
  masks: "",
  threshold: "",
  condition: "",
  conditionText: "",
  conditionNumber: "",
  confirmations: "2",
  ignoreNoise: true,
  ignore: "",
  watch: "",
  goal: "",
  channel: "",
  channelValues: {},
};

type Json = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const asText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];
const asLines = (value: unknown): string =>
  Array.isArray(value) ? (value as unknown[]).map(asText).join("\n") : "";

const toLines = (text: string): string[] => toList(text, /\n/);

const toBoxText = (value: unknown): string => {
  const { x, y, width, height } = asObject(value);
  return [x, y, width, height].map(asText).join(" ").trim();
};

function toScope(fields: Fields): Json | undefined {
  const { scope, scopeList, scopeWithout, region, masks, threshold } = fields;
  if (scope === "text") return undefined;
  if (scope === "textOnly" || scope === "structure") return { [scope]: true };
  if (scope === "fields" || scope === "jsonPaths") return { [scope]: toLines(scopeList) };
  if (scope === "lines")
    return { linesMatching: toLines(scopeList), linesNotMatching: toLines(scopeWithout) };
  return {
    picture: {
      ...(region.trim() === "" ? {} : { region: parseBox(region) }),
      masks: toLines(masks).map(parseBox),
      ...(threshold.trim() === "" ? {} : { threshold: Number(threshold) / 100 }),
    },
  };
}

function readScope(value: unknown): Partial<Fields> {
  const scope = asObject(value);
  const has = (name: string): boolean =>
    Array.isArray(scope[name]) && (scope[name] as unknown[]).length > 0;
  if (scope["structure"] === true) return { scope: "structure" };
  if (has("fields")) return { scope: "fields", scopeList: asLines(scope["fields"]) };
  if (has("jsonPaths")) return { scope: "jsonPaths", scopeList: asLines(scope["jsonPaths"]) };
  if (scope["picture"] !== undefined) {
    const { region, masks, threshold } = asObject(scope["picture"]);
    return {
      scope: "picture",
      region: region === undefined ? "" : toBoxText(region),
      masks: Array.isArray(masks) ? (masks as unknown[]).map(toBoxText).join("\n") : "",
      threshold: typeof threshold === "number" ? String(threshold * 100) : "",
    };
  }
  if (has("linesMatching") || has("linesNotMatching"))
    return {
      scope: "lines",
      scopeList: asLines(scope["linesMatching"]),
      scopeWithout: asLines(scope["linesNotMatching"]),
    };
  return scope["textOnly"] === true ? { scope: "textOnly" } : {};
}

function toTags({ include, exclude }: Fields): Json {
  return {
    ...(include.trim() === "" ? {} : { includeTags: toList(include) }),
    ...(exclude.trim() === "" ? {} : { excludeTags: toList(exclude) }),
  };
}

const listUrls = ({ urls }: Fields): string[] => urls.split(/\s+/).filter((part) => part !== "");

/** The page that stands for all of them; empty without an address. */
export const toFirstUrl = (fields: Fields): string => listUrls(fields)[0] ?? "";

export function toTarget(fields: Fields): Json {
  const { target } = fields;
  const list = listUrls(fields);
  if (target === "map") return { type: target, url: list[0] ?? "" };
  const tags = toTags(fields);
  const scope = toScope(fields);
  // A scope of fields compares the values of the format json, which the scrape has to make.
  const more = {
    ...(Object.keys(tags).length === 0 ? {} : { scrapeOptions: tags }),
    ...(scope === undefined ? {} : { scope }),
  };
  return target === "crawl"
    ? { type: target, url: list[0] ?? "", ...more }
    : { type: "scrape", urls: list, ...more };
}

function toCondition({ condition, conditionText, conditionNumber }: Fields): Json | undefined {
  if (condition === "") return undefined;
  if (condition.startsWith("number"))
    return {
      type: condition,
      ...(conditionText.trim() === "" ? {} : { near: conditionText }),
      value: Number(conditionNumber),
    };
  return condition.startsWith("text")
    ? { type: condition, text: conditionText }
    : { type: condition };
}

export function toRules(fields: Fields): { readonly detection: Json; readonly when: Json | null } {
  const { confirmations, ignoreNoise, ignore, watch } = fields;
  const condition = toCondition(fields);
  return {
    detection: {
      confirmations: Number(confirmations),
      ignoreNoise,
      ignore: toLines(ignore),
      watch: toLines(watch),
    },
    when: condition === undefined ? null : { conditions: [condition] },
  };
}

/** Body of a new monitor. */
export function toBody(fields: Fields): Json {
  const { name, urls, schedule, channel, channelValues } = fields;
  const goal = fields.goal.trim();
  const { detection, when } = toRules(fields);
  return {
    name: name.trim() === "" ? (urls.trim().split(/\s+/)[0] ?? "").slice(0, 256) : name.trim(),
    schedule: toSchedule(schedule),
    targets: [toTarget(fields)],
    detection,
    ...(when === null ? {} : { when }),
    ...(goal === "" ? {} : { goal }),
    ...(channel === "" || !isComplete(channel, channelValues)
      ? {}
      : { channels: [toChannel(channel, channelValues)] }),
  };
}

/** Options of the first target's scrapes, as the monitor has them. */
export const readScrapeOptions = (monitor: Monitor | undefined): Json =>
  asObject(asObject((monitor?.targets as readonly unknown[] | undefined)?.[0])["scrapeOptions"]);

/** The fields as the monitor has them; of several targets or conditions, the first. */
export function readFields(monitor: Monitor): Fields {
  const target = asObject((monitor.targets as readonly unknown[])[0]);
  const { includeTags, excludeTags } = asObject(target["scrapeOptions"]);
  const conditions = asObject(monitor.when)["conditions"];
  const condition = asObject(Array.isArray(conditions) ? (conditions as unknown[])[0] : undefined);
  const detection = asObject(monitor.detection);
  return {
    ...EMPTY_FIELDS,
    name: monitor.name,
    target: asText(target["type"]),
    urls: Array.isArray(target["urls"]) ? asLines(target["urls"]) : asText(target["url"]),
    schedule: monitor.schedule.text ?? monitor.schedule.cron,
    include: asLines(includeTags).replaceAll("\n", ", "),
    exclude: asLines(excludeTags).replaceAll("\n", ", "),
    ...readScope(target["scope"]),
    condition: asText(condition["type"]),
    conditionText: asText(condition["near"] ?? condition["text"]),
    conditionNumber: asText(condition["value"]),
    confirmations: asText(detection["confirmations"]) || EMPTY_FIELDS.confirmations,
    ignoreNoise: detection["ignoreNoise"] !== false,
    ignore: asLines(detection["ignore"]),
    watch: asLines(detection["watch"]),
    goal: monitor.goal ?? "",
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The parts of a target that the form has, over the target as it is. */
function changeTarget(target: Json, before: Fields, after: Fields): Json {
  const next: Record<string, unknown> = { ...target };
  const { type: _type, scrapeOptions: _tags, scope: _scope, ...place } = toTarget(after);
  if (before.urls !== after.urls) Object.assign(next, place);
  if (!isSame(toTags(before), toTags(after))) {
    const { includeTags: _in, excludeTags: _out, ...options } = asObject(target["scrapeOptions"]);
    next["scrapeOptions"] = { ...options, ...toTags(after) };
  }
  if (!isSame(toScope(before), toScope(after))) {
    const scope = toScope(after);
    if (scope === undefined) delete next["scope"];
    else next["scope"] = scope;
  }
  return next;
}

/** The first condition as in the form; the others, and the path to its number, stay. */
function changeWhen({ when }: Monitor, changed: Json | null): Json | null {
  const [first, ...others] = asList(asObject(when)["conditions"]).map(asObject);
  const [next] = asList(changed?.["conditions"]).map(asObject);
  if (next === undefined) return null;
  const isPathOfNumber =
    first?.["field"] !== undefined && "value" in next && next["near"] === undefined;
  const condition = isPathOfNumber ? { ...next, field: first["field"] } : next;
  return { ...asObject(when), conditions: [condition, ...others] };
}

/** Body of PATCH: what differs from the monitor; empty without a change. */
export function toChanges(monitor: Monitor, after: Fields): Json {
  const before = readFields(monitor);
  const [first, ...others] = monitor.targets as readonly unknown[];
  const target = changeTarget(asObject(first), before, after);
  const [rules, changed] = [toRules(before), toRules(after)];
  return {
    ...(before.name === after.name ? {} : { name: after.name.trim() }),
    ...(before.schedule === after.schedule ? {} : { schedule: toSchedule(after.schedule) }),
    ...(isSame(first, target) ? {} : { targets: [target, ...others] }),
    ...(isSame(rules.detection, changed.detection)
      ? {}
      : { detection: { ...asObject(monitor.detection), ...changed.detection } }),
    ...(isSame(rules.when, changed.when) ? {} : { when: changeWhen(monitor, changed.when) }),
    ...(before.goal === after.goal ? {} : { goal: after.goal.trim() || null }),
  };
}

/** Rules that try the form over stored versions: those of the monitor where nothing was changed. */
export function toTriedRules(monitor: Monitor, after: Fields): Json {
  const { detection, when } = toChanges(monitor, after);
  return {
    ...(detection === undefined ? {} : { detection }),
    ...(when === undefined ? {} : { when }),
  };
}
