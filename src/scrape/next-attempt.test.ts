import { describe, expect, it } from "vitest";
import type { Attempt, Plan } from "../engines/plan.ts";
import type { VerdictKind } from "../contract/page/verdict.ts";
import type { Remedy } from "../html/evidence/verdict.ts";
import { isWorthTrying, orderAttempts, type AttemptEnding } from "./next-attempt.ts";

const http: Attempt = { engine: "http", proxy: "basic" };
const browser: Attempt = { engine: "browser", proxy: "basic" };
const httpBetter: Attempt = { engine: "http", proxy: "enhanced" };
const browserBetter: Attempt = { engine: "browser", proxy: "enhanced" };
const all = [http, browser, httpBetter, browserBetter];
const plan = (attempts: readonly Attempt[], needsBrowser: readonly string[] = []): Plan => ({
  attempts,
  hasBetterProxy: false,
  needsBrowser,
  warnings: [],
});
const captured = (remedy: Remedy | undefined, kind: VerdictKind = "bot_check"): AttemptEnding => ({
  kind: "captured",
  verdict:
    remedy === undefined
      ? { kind, reason: "", escalate: false }
      : { kind, reason: "", escalate: true, remedy },
});

/** Returns the attempts made when each ends as `endings` says. */
function walk(
  attempts: readonly Attempt[],
  endings: (attempt: Attempt) => AttemptEnding,
  needsBrowser = false,
  hasBetterProxy = attempts.includes(httpBetter),
) {
  const hasEnhanced = attempts.some(({ proxy }) => proxy === "enhanced");
  const rules = { needsBrowser, hasEnhanced, hasBetterProxy };
  const tried: Attempt[] = [];
  let last: Parameters<typeof isWorthTrying>[1];
  for (const attempt of attempts) {
    if (!isWorthTrying(attempt, last, rules)) continue;
    tried.push(attempt);
    last = { attempt, ending: endings(attempt) };
  }
  return tried;
}

describe("attempt ladder", () => {
  it("stops at the first attempt that returns the page", () => {
    expect(walk(all, () => captured(undefined, "content"))).toEqual([http]);
  });

  it("renders an application shell without an enhanced proxy", () => {
    expect(walk(all, ({ engine }) => captured(engine === "http" ? "browser" : undefined))).toEqual([
      http,
      browser,
    ]);
  });

  it("retries a bot check with a browser, then with the enhanced proxy", () => {
    expect(walk(all, ({ engine }) => captured(engine === "http" ? "any" : "proxy"))).toEqual(all);
  });

  it("retries a 403 with the enhanced proxy if there is one, otherwise with a browser", () => {
    const refused = (): AttemptEnding => captured("any", "error_page");
    expect(walk(all, refused)).toEqual([http, httpBetter, browserBetter]);
    expect(walk([http, browser], refused)).toEqual([http, browser]);
    expect(walk(all, () => captured("proxy", "error_page"))).toEqual([http, httpBetter]);
  });

  it("without an enhanced proxy retries blocks with an enhanced browser and does not retry rate limits", () => {
    const direct = [http, browser, browserBetter];
    expect(walk(direct, () => captured("any", "error_page"))).toEqual([http, browserBetter]);
    expect(walk(direct, () => captured("any"))).toEqual([http, browserBetter]);
    expect(walk(direct, () => captured("proxy", "error_page"))).toEqual([http]);
    expect(walk(direct, () => ({ kind: "failed" }))).toEqual([http]);
    const rendered = [browser, http, browserBetter];
    expect(walk(rendered, () => captured("any"), true)).toEqual([browser, browserBetter]);
    const asked = [httpBetter, browserBetter];
    expect(walk(asked, () => captured("any", "error_page"), false, false)).toEqual(asked);
    expect(walk(asked, () => captured("browser", "empty_shell"), false, false)).toEqual(asked);
  });

  it("uses plain HTTP only for files when a browser is required", () => {
    const order = [browser, http, browserBetter, httpBetter];
    expect(walk(order, () => captured(undefined, "content"), true)).toEqual([browser]);
    expect(
      walk(
        order,
        ({ engine }) => (engine === "browser" ? { kind: "unsuitable" } : captured(undefined)),
        true,
      ),
    ).toEqual([browser, http]);
    expect(walk(order, () => ({ kind: "failed" }), true)).toEqual([browser, browserBetter]);
  });

  it("does not open a browser for a site that does not answer", () => {
    expect(walk([http, browser], () => ({ kind: "failed" }))).toEqual([http]);
    expect(walk([browser, http], () => ({ kind: "failed" }))).toEqual([browser, http]);
  });
});

describe("orderAttempts", () => {
  it("starts with the browser when the host recently needed it", () => {
    expect(orderAttempts(plan(all), false)).toEqual(all);
    expect(orderAttempts(plan(all), true)).toEqual([browser, http, httpBetter, browserBetter]);
    expect(orderAttempts(plan([browser, http], ["actions"]), true)).toEqual([browser, http]);
    expect(orderAttempts(plan([http]), true)).toEqual([http]);
  });
});
