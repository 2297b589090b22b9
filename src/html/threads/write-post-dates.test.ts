import { expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { foldSpace, readText } from "../parse/tree.ts";
import { writePostDates } from "./write-post-dates.ts";

function write(html: string): string {
  const root = parseHtml(html);
  writePostDates(root);
  return foldSpace(readText(root));
}

it("replaces relative times of posts by their machine-readable date", () => {
  expect(write(`ann <time datetime="2026-03-02T14:11:09Z">4 days ago</time>`)).toBe(
    "ann 2026-03-02 14:11",
  );
  expect(write(`<time datetime="2026-03-02">2. März</time>`)).toBe("2026-03-02");
});

it("leaves whole dates, times without a date and marked-up times as they are", () => {
  expect(write(`<time datetime="2026-03-02T14:11:09Z">March 2, 2026</time>`)).toBe("March 2, 2026");
  expect(write(`<time>4 days ago</time>`)).toBe("4 days ago");
  expect(write(`<time datetime="PT20M">20 minutes</time>`)).toBe("20 minutes");
  expect(write(`<time datetime="2026-03-02"><a href=/p/1>today</a></time>`)).toBe("today");
  expect(write(`<time datetime="2026-03-02"> </time>`)).toBe("");
});
