import { expect, test } from "vitest";
import { Deadline } from "../../deadline.ts";
import type { LanguageModel } from "../../models/model.ts";
import { askForChanges } from "./ask-for-changes.ts";

test("fails only the comparison, not the scrape, when the model does not answer", async () => {
  const silent: LanguageModel = {
    name: "test/silent",
    complete: async (_request, within) => await within.race(new Promise<never>(() => undefined)),
  };
  using deadline = Deadline.start(700);
  const request = { previous: "one", current: "two", prompt: "", inputTokens: 1_000 };
  const { changes, warnings } = await askForChanges(silent, request, deadline);
  expect(changes).toBeUndefined();
  expect(warnings).toEqual([
    "changeTracking: The language model did not answer within the scrape's timeout.",
  ]);
  expect(deadline.getTimeLeftMs()).toBeGreaterThan(0);
});
