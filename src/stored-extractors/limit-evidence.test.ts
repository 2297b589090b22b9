import { expect, it } from "vitest";
import type { RunResponse } from "../contract/extractors/extractor.ts";
import { limitEvidence, MAX_EVIDENCE } from "./limit-evidence.ts";

const runOf = (values: number) => ({
  url: "https://a.example/",
  json: {},
  jsonEvidence: Object.fromEntries(
    Array.from({ length: values }, (_, at) => [`/${at}`, { source: "text", text: "x" }]),
  ),
  metadata: {},
});

it("drops the evidence of further pages with a warning, and keeps their values", () => {
  const runs = [runOf(MAX_EVIDENCE - 1), runOf(1), runOf(1)] as unknown as RunResponse["data"];
  limitEvidence(runs);
  expect(runs.map((run) => "jsonEvidence" in run)).toEqual([true, true, false]);
  expect(runs[2]).toMatchObject({
    json: {},
    warning: expect.stringContaining("Run fewer URLs at once") as string,
  });
  expect(runs[1]).not.toHaveProperty("warning");
});
