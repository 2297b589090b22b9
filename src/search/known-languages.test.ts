import { expect, it } from "vitest";
import { createKnownLanguages } from "./known-languages.ts";

it("asks again after twenty times as long as the answer took, for each account by itself", async () => {
  let time = 0;
  const asked: string[] = [];
  const known = createKnownLanguages(
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
