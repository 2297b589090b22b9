import { expect, it } from "vitest";
import { buildRequestPath, describeRequest, identifyRequest } from "./request-address.ts";

const [scrape, batch, crawl] = [{ id: "scrape" }, { id: "batch" }, { id: "crawl" }] as const;
const LOADED = { run: undefined, scrape: undefined, job: undefined };

it("links to a request that fits into an address of the server", () => {
  expect(buildRequestPath(scrape, "", {})).toBe("/");
  expect(buildRequestPath(crawl, "https://a.test/", { limit: 5 })).toBe(
    "/?mode=crawl&url=https%3A%2F%2Fa.test%2F&options=%7B%22limit%22%3A5%7D",
  );
});

it("links to no request whose encoded address is too long", () => {
  const text = "ü".repeat(3_000);
  expect(buildRequestPath(scrape, "a".repeat(11_000), {})).toBeDefined();
  expect(buildRequestPath(scrape, text, {})).toBeUndefined();
  expect(buildRequestPath(batch, "https://a.test/\n".repeat(600), {})).toBeUndefined();
  expect(buildRequestPath(crawl, "a", { prompt: text })).toBeUndefined();
});

it("names the mode of a request that does not fit, in place of the request that was loaded", () => {
  const subject = "https://a.test/\n".repeat(5_000);
  expect(describeRequest(crawl, subject, { limit: 5 })).toEqual({
    ...LOADED,
    mode: "crawl",
    url: undefined,
    options: undefined,
  });
  expect(describeRequest(scrape, "a", { mobile: true })).toEqual({
    ...LOADED,
    mode: undefined,
    url: "a",
    options: '{"mobile":true}',
  });
});

it("takes an address without the job or scrape of another one as another request", () => {
  const identify = (text: string): string => identifyRequest(new URLSearchParams(text));
  expect(identify("url=a&job=1")).not.toBe(identify("url=a"));
  expect(identify("scrape=1")).not.toBe(identify("scrape=2"));
  expect(identify("url=a&tab=why&run=1")).toBe(identify("url=a"));
});
