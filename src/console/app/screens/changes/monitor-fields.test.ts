import { describe, expect, it } from "vitest";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { monitorRequestSchema } from "../../../../contract/jobs/monitor.ts";
import { EMPTY_FIELDS, readFields, toBody, toChanges, type Fields } from "./monitor-fields.ts";

const FIELDS: Fields = { ...EMPTY_FIELDS, urls: "https://a.test/" };

/** The monitor that the API would store for a body. */
const store = (body: object): Monitor =>
  ({ id: "m", status: "active", ...monitorRequestSchema.parse(body) }) as unknown as Monitor;

const SCOPES: readonly (readonly [Partial<Fields>, object])[] = [
  [{ scope: "textOnly" }, { textOnly: true }],
  [{ scope: "structure" }, { structure: true }],
  [
    { scope: "jsonPaths", scopeList: "$.items[*].price\n$.total" },
    { jsonPaths: ["$.items[*].price", "$.total"] },
  ],
  [{ scope: "fields", scopeList: "offer.price" }, { fields: ["offer.price"] }],
  [
    { scope: "lines", scopeList: "^Price", scopeWithout: "shipping" },
    { linesMatching: ["^Price"], linesNotMatching: ["shipping"] },
  ],
  [
    { scope: "picture", region: "0 10 800 600", masks: "1 2 3 4\n5, 6, 7, 8", threshold: "0.5" },
    {
      picture: {
        region: { x: 0, y: 10, width: 800, height: 600 },
        masks: [
          { x: 1, y: 2, width: 3, height: 4 },
          { x: 5, y: 6, width: 7, height: 8 },
        ],
        threshold: 0.005,
      },
    },
  ],
];

describe("the form of monitors", () => {
  it.each(SCOPES)(
    "writes the scope %j as the contract takes it, and reads it back",
    (given, scope) => {
      const fields = { ...FIELDS, ...given };
      const monitor = store(toBody(fields));
      expect(monitor.targets[0]).toMatchObject({ scope });
      expect(toChanges(monitor, readFields(monitor))).toEqual({});
    },
  );

  it("leaves out what was not changed, and keeps what has no field", () => {
    const monitor = store({
      name: "Lamp",
      schedule: { text: "hourly" },
      goal: "price",
      targets: [
        { type: "scrape", urls: ["https://a.test/"], scrapeOptions: { waitFor: 500 } },
        { type: "map", url: "https://b.test/" },
      ],
      detection: { brokenAfter: 9, ignore: ["^ad"] },
      when: { match: "all", conditions: [{ type: "titleChanged" }, { type: "newUrls" }] },
    });
    expect(toChanges(monitor, readFields(monitor))).toEqual({});
    const changed = toChanges(monitor, {
      ...readFields(monitor),
      name: "Lamps",
      include: ".price",
    });
    expect(changed).toMatchObject({
      name: "Lamps",
      targets: [
        { urls: ["https://a.test/"], scrapeOptions: { waitFor: 500, includeTags: [".price"] } },
        { type: "map" },
      ],
    });
    expect(Object.keys(changed)).toEqual(["name", "targets"]);
    const rules = toChanges(monitor, { ...readFields(monitor), ignore: "^ad\n^visitors" });
    expect(rules).toEqual({
      detection: expect.objectContaining({ brokenAfter: 9, ignore: ["^ad", "^visitors"] }),
    });
  });

  it("removes the scope, the condition and the goal", () => {
    const monitor = store(
      toBody({ ...FIELDS, scope: "structure", condition: "textAppears", conditionText: "sold" }),
    );
    const changes = toChanges(monitor, { ...readFields(monitor), scope: "text", condition: "" });
    expect(changes["when"]).toBeNull();
    const withGoal = store(toBody({ ...FIELDS, goal: " Sold out " }));
    expect(withGoal.goal).toBe("Sold out");
    expect(toChanges(withGoal, { ...readFields(withGoal), goal: "" })).toEqual({ goal: null });
    expect((changes["targets"] as object[])[0]).not.toHaveProperty("scope");
  });

  it("compares the first number when the text before it is empty", () => {
    const fields = { ...FIELDS, condition: "numberBelow", conditionNumber: "20" };
    const monitor = store(toBody(fields));
    expect(monitor.when).toEqual({
      match: "any",
      conditions: [{ type: "numberBelow", value: 20 }],
    });
    expect(readFields(monitor)).toMatchObject({ conditionText: "", conditionNumber: "20" });
    expect(toChanges(monitor, { ...readFields(monitor), conditionText: "Price" })["when"]).toEqual({
      match: "any",
      conditions: [{ type: "numberBelow", near: "Price", value: 20 }],
    });
  });

  it("keeps the path to the number and the other conditions when the value changes", () => {
    const other = { type: "titleChanged" };
    const monitor = store({
      ...toBody(FIELDS),
      when: {
        match: "all",
        conditions: [{ type: "numberBelow", field: "offer.price", value: 20 }, other],
      },
    });
    const changes = toChanges(monitor, { ...readFields(monitor), conditionNumber: "15" });
    expect(changes["when"]).toEqual({
      match: "all",
      conditions: [{ type: "numberBelow", field: "offer.price", value: 15 }, other],
    });
  });

  it("sends a box that is none as it is no number, so that the API refuses it", () => {
    const body = toBody({ ...FIELDS, scope: "picture", region: "top left" });
    expect(monitorRequestSchema.safeParse(JSON.parse(JSON.stringify(body))).success).toBe(false);
  });
});
