import { describe, expect, it } from "vitest";
import { crawlRequestSchema } from "../jobs/crawl.ts";
import { toErrorBody } from "./faults.ts";
import { mapRequestSchema } from "../page/map.ts";

const url = "https://example.com";
const faultOf = (fields: object) => {
  const result = crawlRequestSchema.safeParse({ url, ...fields });
  if (result.success) throw new Error(`was taken: ${JSON.stringify(fields)}`);
  return toErrorBody(result.error);
};

describe("crawl patterns", () => {
  it.each([
    ["(?=a)b", "look-ahead"],
    ["^(?!/private)", "look-ahead"],
    ["(?<=a)b", "look-behind"],
    ["(?<!a)b", "look-behind"],
    ["(a)\\1", "back references"],
    ["(?<x>a)\\k<x>", "back references"],
    ["(", "missing closing )"],
    ["[z-a]", "range"],
    ["a{2000}", "repeat"],
  ])("rejects the pattern %s with its field and index", (pattern, reason) => {
    const fault = faultOf({ excludePaths: ["/fine/.*", pattern] });
    expect(fault.error).toContain("excludePaths[1]: Invalid regular expression");
    expect(fault.error).toContain(JSON.stringify(pattern));
    expect(fault.error).toContain(reason);
    expect(fault.details[0]?.path).toEqual(["excludePaths", 1]);
  });

  it.each([
    ["^/docs/.*$"],
    ["a|b"],
    ["/\\d{4}/\\d\\d/"],
    ["\\/docs\\/[^/]+\\/?$"],
    ["(?i)blog"],
    ["\\p{Lu}"],
    ["\\u0041\\x41"],
    ["(?<year>\\d+)"],
    ["(?:a|b)*?c"],
    ["\\(?=a"],
    ["[(?=]"],
    ["/a-b_c~d%20e"],
    [""],
  ])("accepts the pattern %s", (pattern) => {
    expect(() => crawlRequestSchema.parse({ url, includePaths: [pattern] })).not.toThrow();
  });

  it("rejects patterns that are too large together without compiling all of them", () => {
    const started = process.cpuUsage();
    const fault = faultOf({ includePaths: Array.from({ length: 1_000 }, () => "[a-z]{1,1000}") });
    const { user } = process.cpuUsage(started);
    expect(fault.error).toContain("too large together");
    expect(user / 1_000).toBeLessThan(3_000);
  });

  it("validates the patterns of a map request", () => {
    expect(mapRequestSchema.safeParse({ url, includePaths: ["(?=a)"] }).success).toBe(false);
    expect(mapRequestSchema.safeParse({ url, excludePaths: ["/a"] }).success).toBe(true);
  });
});
