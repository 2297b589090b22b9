import { expect, test } from "vitest";
import { threadCpuMs } from "../../../../test/cpu-time.ts";
import { Deadline } from "../../../deadline.ts";
import type { LanguageModel, ModelRequest } from "../../../models/model.ts";
import type { Evidence } from "../declared/finding.ts";
import { askForData } from "./with-model.ts";

const MANY = 4_000;

test("checks long lists against the page in linear time and encloses the page's metadata in markers", async () => {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    name: "test/scripted",
    async complete(request) {
      asked.push(request);
      const names = Array.from({ length: MANY }, (_, at) => `other ${at}`);
      const text = JSON.stringify({ data: { names: ["drafted 7", ...names] } });
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text, toolCalls: [], usage, finish: "stop" };
    },
  };
  const names = Array.from({ length: MANY }, (_, at) => `drafted ${at}`);
  const evidence = Object.fromEntries(
    names.map((name, at): [string, Evidence] => [
      `/names/${at}`,
      { source: "json-ld", text: name },
    ]),
  );
  const strong = ["/names/0"];
  const page = { lines: [], left: 0, base: "https://site.example/", order: "day-first" } as const;
  const draft = {
    value: { names },
    evidence,
    strong,
    exact: [],
    missing: [],
    reasons: {},
    dropped: [],
    incomplete: [],
  };
  using deadline = Deadline.start(60_000);
  const from = threadCpuMs();
  const answer = await askForData(
    model,
    { task: { prompt: "names" }, draft, text: "A page.", page, inputTokens: 10_000 },
    deadline,
  );
  expect(threadCpuMs() - from).toBeLessThan(1_500);
  expect(answer.evidence["/names/0"]).toEqual({ source: "json-ld", text: "drafted 7" });
  const content = asked[0]?.messages.at(-1)?.content ?? "";
  expect(content).toMatch(/<page-(\w+)>\n\{"\/names\/0":"drafted 0"\}\n<\/page-\1>/);
});
