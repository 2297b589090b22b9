// The events of a run as steps, and the records they found so far.
import type { AgentEvent } from "../../../../contract/jobs/agent-trace.ts";

export type Step = {
  /** Id of the tool call; undefined for a thought. */
  readonly id: string | undefined;
  readonly tool: string;
  readonly text: string;
  /** Why the step was taken, in the words of the run. */
  readonly reason: string | undefined;
  readonly url: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly credits: number | undefined;
  readonly error: string | undefined;
  /** One line about the result. */
  readonly note: string | undefined;
  readonly found: readonly unknown[];
};

type Fields = Readonly<Record<string, unknown>>;

const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

function describeCall(tool: string, parameters: Fields): string {
  const { url, query, words, question, expression, sql } = parameters;
  const text = [url, query, question, words, expression, sql].find((one) => asText(one));
  return asText(text) ?? tool;
}

function describeResult(result: Fields): string | undefined {
  const status = asNumber(result["statusCode"]);
  const links = asNumber(result["links"]);
  const parts = [
    asText(result["title"]),
    status === undefined ? undefined : `status ${status}`,
    links === undefined ? undefined : `${links} links`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" · ");
}

/** Steps in the order in which they began. */
export function toSteps(events: readonly AgentEvent[]): Step[] {
  const steps: Step[] = [];
  const open = new Map<string, number>();
  for (const event of events) {
    const at = Date.parse(event.occurredAt);
    if (event.type === "tool_call.started") {
      const parameters = asFields(event.parameters);
      open.set(event.toolCallId, steps.length);
      steps.push({
        id: event.toolCallId,
        tool: event.toolName,
        text: describeCall(event.toolName, parameters),
        reason: asText(parameters["reason"]),
        url: asText(parameters["url"]),
        startedAt: at,
        endedAt: undefined,
        credits: undefined,
        error: undefined,
        note: undefined,
        found: [],
      });
    } else if (event.type === "tool_call.finished") {
      const index = open.get(event.toolCallId);
      const before = index === undefined ? undefined : steps[index];
      if (index === undefined || before === undefined) continue;
      const result = asFields(event.result);
      const { found } = result;
      steps[index] = {
        ...before,
        endedAt: at,
        credits: asNumber(result["creditsUsed"]),
        error: asText(result["error"]),
        note: describeResult(result),
        found: Array.isArray(found) ? (found as unknown[]) : [],
      };
    } else if (event.type === "reasoning.summary") steps.push(toThought("thought", event.text, at));
    else if (event.type === "progress.reported" && event.phase === "planning")
      steps.push(toThought("plan", event.message, at));
  }
  return steps;
}

const toThought = (tool: string, text: string, at: number): Step => ({
  id: undefined,
  tool,
  text,
  reason: undefined,
  url: undefined,
  startedAt: at,
  endedAt: at,
  credits: undefined,
  error: undefined,
  note: undefined,
  found: [],
});

export type Row = {
  readonly pointer: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type Table = {
  /** Path of the list in the data, such as "products". */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
};

const MAX_DEPTH = 6;
const MAX_ROWS = 5_000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function toTable(name: string, pointer: string, records: readonly unknown[]): Table {
  const rows = records.slice(0, MAX_ROWS).map((record, index): Row => ({
    pointer: `${pointer}/${index}`,
    fields: isRecord(record) ? record : { value: record },
  }));
  const columns = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields)))];
  return { name, columns, rows };
}

/**
 * The lists of records in the data, and first its single values as a table of one row. Pointers are
 * those of the data, so that the evidence of a cell can be looked up.
 */
export function toTables(data: unknown): Table[] {
  const tables: Table[] = [];
  const single: Record<string, unknown> = {};
  const open: { value: unknown; pointer: string; name: string; depth: number }[] = [
    { value: data, pointer: "", name: "", depth: 0 },
  ];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const { value, pointer, name, depth } = one;
    if (Array.isArray(value)) {
      if (value.length > 0) tables.push(toTable(name === "" ? "Results" : name, pointer, value));
    } else if (isRecord(value) && depth < MAX_DEPTH) {
      for (const [key, child] of Object.entries(value))
        open.push({
          value: child,
          pointer: `${pointer}/${escape(key)}`,
          name: name === "" ? key : `${name} › ${key}`,
          depth: depth + 1,
        });
    } else if (value !== null && value !== undefined && pointer !== "")
      single[pointer.slice(1)] = value;
    else if (pointer === "" && value !== undefined && value !== null) single["value"] = value;
  }
  if (Object.keys(single).length === 0) return tables;
  const values: Table = {
    name: "Values",
    columns: Object.keys(single),
    rows: [{ pointer: "", fields: single }],
  };
  return [values, ...tables];
}

/** Data found by the steps so far: lists joined, equal records once, other values as first seen. */
export function mergeFound(steps: readonly Step[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  const seen = new Map<string, Set<string>>();
  for (const { found } of steps)
    for (const piece of found) {
      if (!isRecord(piece)) continue;
      for (const [name, value] of Object.entries(piece)) {
        if (!Array.isArray(value)) {
          merged[name] ??= value;
          continue;
        }
        const known = seen.get(name) ?? new Set<string>();
        seen.set(name, known);
        const list = Array.isArray(merged[name]) ? (merged[name] as unknown[]) : [];
        merged[name] = list;
        for (const record of value as unknown[]) {
          const text = JSON.stringify(record);
          if (known.has(text)) continue;
          known.add(text);
          list.push(record);
        }
      }
    }
  return merged;
}
