import { expect, it } from "vitest";
import { describeFoundPages, writeFoundPage } from "./monitor.ts";

const page = { url: "https://a.test/" };

it.each<[Parameters<typeof writeFoundPage>[0], string]>([
  [{ ...page, status: "new" }, "new https://a.test/\n\n"],
  [
    { ...page, status: "error", error: "The host does not answer." },
    "error https://a.test/\nThe host does not answer.\n\n",
  ],
  [
    { ...page, status: "changed", diff: { text: "-old\n+new" } },
    "changed https://a.test/\n-old\n+new\n\n",
  ],
  [
    { ...page, status: "changed", diff: { json: { price: 5 } } },
    'changed https://a.test/\n{"price":5}\n\n',
  ],
])("a page of a check has a line for each fact that it has: %j", (found, text) => {
  expect(writeFoundPage(found)).toBe(text);
});

it.each([
  [0, 0, undefined, "completed: no pages."],
  [1, 1, undefined, "completed: 1 page, 1 of them here."],
  [3, 2, 40, "completed: 3 pages, 2 of them here; to continue, call again with from: 40."],
])("counts %i pages of a check", (total, shown, next, text) => {
  expect(describeFoundPages("completed", { total, shown, next })).toBe(text);
});
