// The scorer of the extraction tasks, and the tasks themselves.
import { describe, expect, it } from "vitest";
import { readAgentTasks, readPageTasks, serveTasks } from "../../bench/eval/read-tasks.ts";
import {
  judge,
  computePrecision,
  computeRecall,
  countFindings,
  type Schema,
  type Verdict,
} from "../../bench/eval/score-values.ts";

const BASE = "http://site.test/shop/page";
const verdictOf = (schema: Schema, truth: unknown, given: unknown): Verdict | undefined =>
  judge(
    { type: "object", properties: { field: schema } },
    { field: truth },
    { field: given },
    BASE,
  )[0]?.verdict;

describe("scoring of extraction tasks", () => {
  it.each<[string, Schema, unknown, unknown, Verdict]>([
    ["an equal number", { type: "number" }, 184, 184, "right"],
    ["a number given as text", { type: ["number", "null"] }, 184, "184", "right"],
    ["a number of another size", { type: "number" }, 1075, 1.075, "wrong"],
    ["a value that is not given", { type: "number" }, 184, null, "missing"],
    ["empty text", { type: "string" }, "a", " ", "missing"],
    ["a value where the page has none", { type: "string" }, null, "a", "invented"],
    ["nothing where the page has none", { type: "string" }, null, undefined, "silent"],
    ["text with other spaces", { type: "string" }, "1 234 kr", "1\u00a0234  kr", "right"],
    ["text in another case", { type: "string" }, "Moss", "moss", "wrong"],
    ["a second spelling", { type: "string" }, { $oneOf: ["GBP", "£"] }, "£", "right"],
    ["an optional value left out", { type: "boolean" }, { $oneOf: [false, null] }, null, "silent"],
    [
      "an optional value that is wrong",
      { type: "boolean" },
      { $oneOf: [false, null] },
      true,
      "wrong",
    ],
    [
      "a date with a time",
      { type: "string", format: "date" },
      "2026-03-04",
      "2026-03-04T10:00:00Z",
      "right",
    ],
    ["a date in words", { type: "string", format: "date" }, "2026-03-04", "4 March 2026", "wrong"],
    [
      "a time in another zone",
      { type: "string", format: "date-time" },
      "2026-03-04T10:00:00Z",
      "2026-03-04T12:00:00+02:00",
      "right",
    ],
    ["an absolute URL", { type: "string", format: "uri" }, "/p/1", "http://site.test/p/1", "right"],
  ])("judges %s as expected", (_, schema, truth, given, verdict) => {
    expect(verdictOf(schema, truth, given)).toBe(verdict);
  });

  it("pairs records by their values and counts those left over", () => {
    const schema: Schema = {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, price: { type: "number" } },
          },
        },
      },
    };
    const truth = {
      rows: [
        { name: "a", price: 1 },
        { name: "b", price: null },
        { name: "c", price: 3 },
      ],
    };
    const given = { rows: [{ name: "b", price: 2 }, { name: "menu" }, { name: "a", price: 9 }] };
    const counts = countFindings(judge(schema, truth, given, BASE));
    expect(counts).toEqual({ right: 2, wrong: 1, invented: 2, missing: 2, silent: 0 });
    expect(computePrecision(counts)).toBeCloseTo(2 / 5);
    expect(computeRecall(counts)).toBeCloseTo(2 / 5);
  });

  it("uses each item of a list once", () => {
    const schema: Schema = {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" } } },
    };
    const findings = judge(schema, { tags: ["a", "b", "c"] }, { tags: ["b", "b", "a"] }, BASE);
    expect(countFindings(findings)).toEqual({
      right: 2,
      wrong: 1,
      invented: 0,
      missing: 1,
      silent: 0,
    });
  });
});

describe("extraction tasks", () => {
  const tasks = readPageTasks();
  const runs = readAgentTasks();

  it("defines at least 66 extraction tasks over 60 pages and 24 agent prompts, with unique ids", () => {
    expect(tasks.length).toBeGreaterThanOrEqual(66);
    expect(new Set(tasks.map(({ path }) => path)).size).toBeGreaterThanOrEqual(60);
    expect(runs.length).toBeGreaterThanOrEqual(24);
    const ids = [...tasks, ...runs].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([...tasks, ...runs])(
    "$id: scores an answer equal to the truth as right",
    ({ schema, truth }) => {
      const plain = JSON.parse(JSON.stringify(truth), (_, value: unknown) =>
        value !== null &&
        typeof value === "object" &&
        "$oneOf" in value &&
        Array.isArray(value.$oneOf)
          ? value.$oneOf[0]
          : value,
      ) as unknown;
      const { wrong, missing, invented } = countFindings(judge(schema, truth, plain, BASE));
      expect({ wrong, missing, invented }).toEqual({ wrong: 0, missing: 0, invented: 0 });
    },
  );

  it("asks for values that their pages do not have in at least 15 % of the cases", () => {
    const findings = tasks.flatMap(({ schema, truth }) => judge(schema, truth, {}, BASE));
    const { silent, missing } = countFindings(findings);
    expect(silent / (silent + missing)).toBeGreaterThanOrEqual(0.15);
  });

  it("serves extraction tasks with the pages, next pages and style sheets of their sites", async () => {
    for (const site of new Set(runs.map((run) => run.site))) {
      const served = await serveTasks(site);
      try {
        for (const { start } of runs.filter((run) => run.site === site))
          expect((await fetch(`${served.url}${start}`)).status).toBe(200);
        const style = await fetch(`${served.url}/assets/tw.css`);
        expect(style.headers.get("content-type")).toContain("text/css");
      } finally {
        served.close();
      }
    }
    const bookshop = await serveTasks("bookshop");
    const next = await fetch(`${bookshop.url}/?page=2`);
    expect(await next.text()).toContain("Concrete Gardens");
    bookshop.close();
  });
});
