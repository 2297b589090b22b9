import { expect, it } from "vitest";
import { MIN_KIND_PROBABILITY as ofContract } from "../../../../contract/page/page-kinds.ts";
import { MIN_KIND_PROBABILITY } from "./scrape-answer.ts";

it("calls the kind of a page certain where the server does", () => {
  expect(MIN_KIND_PROBABILITY).toBe(ofContract);
});
