import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toPageParameters } from "./page-options.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-tasks-"));
  await writeFile(path.join(folder, "schema.json"), '{"type":"object","properties":{"a":{}}}');
  await writeFile(path.join(folder, "broken.json"), "{");
});
afterAll(() => rm(folder, { recursive: true }));

test("a schema, a prompt and a question make the formats they belong to", () => {
  const schema = path.join(folder, "schema.json");
  const given = { type: "object", properties: { a: {} } };
  expect(toPageParameters({ schema }).formats).toEqual([{ type: "json", schema: given }]);
  expect(
    toPageParameters({ format: ["markdown,json"], prompt: "p", evidence: true }).formats,
  ).toEqual(["markdown", { type: "json", prompt: "p", evidence: true }]);
  expect(toPageParameters({ question: "q" }).formats).toEqual([
    { type: "question", question: "q" },
  ]);
  expect(toPageParameters({}).formats).toEqual(["markdown"]);
});

test.each([
  ["broken.json", "is not JSON"],
  ["missing.json", "cannot be read (ENOENT)"],
])("a schema file that cannot be used is named: %s", (file, text) => {
  expect(() => toPageParameters({ schema: path.join(folder, file) })).toThrow(text);
});

test("evidence alone, which would be of nothing, is refused", () => {
  expect(() => toPageParameters({ evidence: true })).toThrow("--schema or --prompt");
});
