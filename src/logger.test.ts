import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger("info", { write: (line) => lines.push(line) }).info(fields, "something went wrong");
  return JSON.parse(lines.join("")) as Record<string, unknown>;
}

test.each(["err", "error", "cause"])("logs an error under %s with its message", (name) => {
  const line = logged({ [name]: new Error("the disk is full") });
  expect(line[name]).toMatchObject({ message: "the disk is full" });
});

test("logs other values unchanged", () => {
  expect(logged({ error: "Unauthorized", cause: undefined })).toMatchObject({
    error: "Unauthorized",
  });
});

test("repeats no field of one line in the next", () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => lines.push(line) });
  log.info({ host: "a.example" }, "first");
  log.info({}, "second");
  expect(JSON.parse(lines[1] ?? "")).not.toHaveProperty("host");
});
