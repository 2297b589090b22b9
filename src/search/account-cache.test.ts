import { expect, it } from "vitest";
import { createAccountCache } from "./account-cache.ts";

it("languages are cached per account for twenty times the duration of the query", async () => {
  let time = 0;
  const asked: string[] = [];
  const known = createAccountCache(
    async (accountId) => {
      asked.push(accountId);
      time += 10;
      return [accountId];
    },
    () => time,
  );
  expect(await known("a")).toEqual(["a"]);
  time += 199;
  expect(await known("a")).toEqual(["a"]);
  expect(await known("b")).toEqual(["b"]);
  expect(asked).toEqual(["a", "b"]);
  time += 2;
  await known("a");
  expect(asked).toEqual(["a", "b", "a"]);
});
