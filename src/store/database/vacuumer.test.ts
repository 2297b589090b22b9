import { beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../logger.ts";
import { Vacuumer } from "./vacuumer.ts";

/** Tables that need a vacuum, as the database names them. */
let due: string[];
let ran: string[];
let fails: boolean;
let vacuumer: Vacuumer;
beforeEach(() => {
  due = [];
  ran = [];
  fails = false;
  vacuumer = new Vacuumer(
    async (text) => {
      if (fails) throw new Error("no space left");
      if (text.startsWith("vacuum")) {
        ran.push(text);
        return { rows: [] };
      }
      ran.push("look");
      return { rows: due.slice(0, 1).map((name) => ({ name })) };
    },
    createLogger("silent"),
    () => ran.push("vacuumed"),
  );
});

async function runStatements(count: number): Promise<void> {
  for (let statement = 0; statement < count; statement += 1) vacuumer.count();
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

describe("Vacuumer", () => {
  it("checks the tables after every 200 statements and vacuums the one that is due", async () => {
    await runStatements(199);
    expect(ran).toEqual([]);
    await runStatements(1);
    expect(ran).toEqual(["look"]);
    due = ["frontier"];
    await runStatements(200);
    expect(ran).toEqual(["look", "look", "vacuum (analyze) frontier", "vacuumed"]);
  });

  it("checks the tables again after a failure, and no more after close", async () => {
    fails = true;
    await runStatements(200);
    fails = false;
    await runStatements(200);
    expect(ran).toEqual(["look"]);
    await vacuumer.close();
    await runStatements(400);
    expect(ran).toEqual(["look"]);
  });
});
