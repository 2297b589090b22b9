import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../../contract/jobs/agent-trace.ts";
import { mergeFound, toSteps, toTables } from "./trace.ts";

const AT = Date.parse("2026-11-25T10:00:00Z");

const toEvent = (seconds: number, fields: object): AgentEvent =>
  ({
    schemaVersion: 1,
    eventId: `run-${seconds}`,
    runId: "run",
    occurredAt: new Date(AT + seconds * 1_000).toISOString(),
    producerSequence: seconds,
    agent: { id: "agent", role: "orchestrator", name: "agent" },
    ...fields,
  }) as AgentEvent;

const call = (number: number, seconds: number, url: string): AgentEvent =>
  toEvent(seconds, {
    type: "tool_call.started",
    toolCallId: `step-${number}`,
    toolName: "scrape",
    parameters: { url, reason: "a promising link" },
  });

const answer = (number: number, seconds: number, result: object): AgentEvent =>
  toEvent(seconds, {
    type: "tool_call.finished",
    toolCallId: `step-${number}`,
    toolName: "scrape",
    result,
  });

describe("steps of an agent run", () => {
  it("joins the end of a call to its start when calls overlap", () => {
    const steps = toSteps([
      call(0, 0, "https://a.example"),
      call(1, 1, "https://b.example"),
      answer(1, 2, { statusCode: 200, title: "B", creditsUsed: 1, found: [{ name: "B" }] }),
      answer(0, 5, { error: "The page did not answer." }),
    ]);
    expect(steps).toMatchObject([
      {
        id: "step-0",
        url: "https://a.example",
        startedAt: AT,
        endedAt: AT + 5_000,
        error: "The page did not answer.",
      },
      { id: "step-1", note: "B · status 200", credits: 1, found: [{ name: "B" }] },
    ]);
  });

  it("keeps a running call without an end and shows thoughts as steps of their own", () => {
    const steps = toSteps([
      toEvent(0, { type: "reasoning.summary", text: "Read the shop first." }),
      call(0, 1, "https://a.example"),
    ]);
    expect(steps).toMatchObject([
      { id: undefined, tool: "thought", text: "Read the shop first." },
      { id: "step-0", endedAt: undefined, credits: undefined },
    ]);
  });

  it("joins found lists, keeps equal records once and the first of other values", () => {
    const found = (...pieces: unknown[]): ReturnType<typeof toSteps>[number] => ({
      ...(toSteps([call(0, 0, "https://a.example")])[0] as ReturnType<typeof toSteps>[number]),
      found: pieces,
    });
    expect(
      mergeFound([
        found({ lamps: [{ name: "Blue" }, { name: "Red" }] }, { shop: "Harbor" }),
        found({ lamps: [{ name: "Red" }, { name: "Oak" }], shop: "Other" }),
      ]),
    ).toEqual({ lamps: [{ name: "Blue" }, { name: "Red" }, { name: "Oak" }], shop: "Harbor" });
  });
});

describe("tables of the data", () => {
  it("makes a table of each list with the JSON pointers of its rows, and one of single values", () => {
    const tables = toTables({
      shop: { name: "Harbor", "open/closed": true },
      lamps: [
        { name: "Blue", price: 1 },
        { name: "Red", weight: 2 },
      ],
    });
    expect(tables).toEqual([
      {
        name: "Values",
        columns: ["shop/name", "shop/open~1closed"],
        rows: [{ pointer: "", fields: { "shop/name": "Harbor", "shop/open~1closed": true } }],
      },
      {
        name: "lamps",
        columns: ["name", "price", "weight"],
        rows: [
          { pointer: "/lamps/0", fields: { name: "Blue", price: 1 } },
          { pointer: "/lamps/1", fields: { name: "Red", weight: 2 } },
        ],
      },
    ]);
  });

  it("makes no table of missing data, and one of a single value", () => {
    expect(toTables(undefined)).toEqual([]);
    expect(toTables({ products: [] })).toEqual([]);
    expect(toTables("42")).toMatchObject([{ name: "Values", columns: ["value"] }]);
  });
});
