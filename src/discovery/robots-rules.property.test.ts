import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRobots, parseRobots, selectRules } from "./robots-rules.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "/", "?", "%41", "%2F", "$"), { maxLength: 6 })
  .map((parts) => `/${parts.join("")}`);
const pattern = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "/", "*", "?", "A"), { maxLength: 6 }),
    fc.constantFrom("", "$"),
  )
  .map(([parts, end]) => `/${parts.join("")}${end}`);
const rule = fc.record({ allow: fc.boolean(), pattern });
type Rule = { allow: boolean; pattern: string };

const fileOf = (rules: readonly Rule[]) =>
  [
    "User-agent: *",
    ...rules.map((one) => `${one.allow ? "Allow" : "Disallow"}: ${one.pattern}`),
  ].join("\n");
const decide = (rules: readonly Rule[], address: string) =>
  decideRobots(
    selectRules(parseRobots(fileOf(rules)), "x"),
    new URL(`https://example.com${address}`),
  );

/**
 * Reference implementation for paths without escapes: each rule as a regular expression, the
 * longest wins, allow wins ties.
 */
function model(rules: readonly Rule[], address: string): boolean {
  const matching = rules.filter((one) => {
    const source = one.pattern.replace(/\$$/, "").replaceAll(/[?/]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${source}${one.pattern.endsWith("$") ? "$" : ""}`).test(address);
  });
  const length = (one: Rule) => one.pattern.replaceAll(/\*+/g, "*").length;
  const longest = Math.max(0, ...matching.map(length));
  const best = matching.filter((one) => length(one) === longest);
  return best.length === 0 || best.some((one) => one.allow);
}

describe("robots.txt properties", () => {
  it("applies the longest matching robots.txt rule, and allow wins ties", () => {
    const plain = path.filter((address) => !/[%$]/.test(address));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), plain, (rules, address) => {
        const url = new URL(`https://example.com${address}`);
        expect(decide(rules, address).allowed).toBe(model(rules, `${url.pathname}${url.search}`));
      }),
    );
  });

  it("applies robots.txt rules independently of their order", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), path, (rules, address) => {
        expect(decide(rules.toReversed(), address).allowed).toBe(decide(rules, address).allowed);
      }),
    );
  });

  it("never throws for any robots.txt", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.webUrl(), (body, address) => {
        const text = Buffer.concat([Buffer.from("User-agent: *\nDisallow: "), body]);
        decideRobots(selectRules(parseRobots(text), "x"), new URL(address));
      }),
    );
  });
});
