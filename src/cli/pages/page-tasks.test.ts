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

test("schema, prompt and question options add their formats", () => {
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
])("an unusable schema file is reported: %s", (file, text) => {
  expect(() => toPageParameters({ schema: path.join(folder, file) })).toThrow(text);
});

test("evidence without extraction is rejected", () => {
  expect(() => toPageParameters({ evidence: true })).toThrow("--schema, --prompt or --extractor");
});
