import { expect, it } from "vitest";
import { buildBody, findMode, isComplete, nameRequest } from "./modes.ts";

const extract = findMode("extract");

it("starts an extraction with URLs or with only a prompt, and sends no empty list", () => {
  const request = { subject: " ", options: { prompt: "the price" }, file: undefined };
  expect(isComplete(extract, request)).toBe(true);
  expect(buildBody(extract, request.subject, request.options)).toEqual({ prompt: "the price" });
  expect(isComplete(extract, { ...request, options: { prompt: " " } })).toBe(false);
  expect(isComplete(extract, { ...request, options: {}, subject: "https://a.test" })).toBe(true);
  expect(buildBody(extract, "https://a.test\nhttps://b.test", {})).toEqual({
    urls: ["https://a.test", "https://b.test"],
  });
});

it("starts nothing else without its URL, words or file", () => {
  const request = { subject: "", options: { prompt: "the price" }, file: undefined };
  for (const id of ["scrape", "crawl", "batch", "search", "agent", "parse"])
    expect(isComplete(findMode(id), request), id).toBe(false);
  expect(isComplete(findMode("batch"), { ...request, subject: "https://a.test" })).toBe(true);
});

it("names several URLs by the first and their number", () => {
  const batch = findMode("batch");
  expect(nameRequest(batch, "https://a.test\nhttps://b.test  https://c.test\n", {})).toBe(
    "https://a.test and 2 more",
  );
  expect(nameRequest(batch, " https://a.test\n", {})).toBe("https://a.test");
  expect(nameRequest(findMode("search"), "blue lamps", {})).toBe("blue lamps");
  expect(nameRequest(extract, "", { prompt: "the price" })).toBe("the price");
});
