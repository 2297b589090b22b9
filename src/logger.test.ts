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
