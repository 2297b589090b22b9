// The ladder: decides whether the next attempt of the plan is worth its price after the last one
// ended.
import type { Attempt, Plan } from "../engines/plan.ts";
import type { Verdict } from "../html/evidence/verdict.ts";

export type Ending =
  | { readonly kind: "captured"; readonly verdict: Verdict }
  /** The URL is a file, which plain HTTP fetches. */
  | { readonly kind: "unsuitable" }
  | { readonly kind: "failed" };

export type Tried = { readonly attempt: Attempt; readonly ending: Ending };

/** Orders the attempts: browser first if the host recently needed one. */
export function orderAttempts(
  { attempts, needsBrowser }: Plan,
  wasNeeded: boolean,
): readonly Attempt[] {
  if (needsBrowser.length > 0 || !wasNeeded) return attempts;
  const first = attempts.find(({ engine }) => engine === "browser");
  return first === undefined
    ? attempts
    : [first, ...attempts.filter((attempt) => attempt !== first)];
}

export type LadderRules = {
  readonly needsBrowser: boolean;
  /** Whether the plan has enhanced attempts. */
  readonly hasEnhanced: boolean;
  /** Whether they use another address. */
  readonly hasBetterProxy: boolean;
};

/**
 * Plain HTTP serves files only when a browser is required; otherwise the verdict names the remedy.
 */
export function isWorthTrying(
  attempt: Attempt,
  last: Tried | undefined,
  { needsBrowser, hasEnhanced, hasBetterProxy }: LadderRules,
): boolean {
  if (last === undefined) return !needsBrowser || attempt.engine === "browser";
  const { ending } = last;
  if (ending.kind === "unsuitable")
    return attempt.engine === "http" && attempt.proxy === last.attempt.proxy;
  if (needsBrowser && attempt.engine === "http") return false;
  const enhanced = attempt.proxy === "enhanced" && last.attempt.proxy === "basic";
  // From the same address "enhanced" does not help against rate limits or silent sites.
  const better = enhanced && hasBetterProxy;
  if (ending.kind === "failed")
    return better || (last.attempt.engine === "browser" && attempt.engine === "http");
  const renders = attempt.engine === "browser" && last.attempt.engine === "http";
  const { kind, remedy } = ending.verdict;
  switch (remedy) {
    case "browser":
      return renders && attempt.proxy === last.attempt.proxy;
    case "proxy":
      return better;
    case "any":
      // A 403 is the caller's to see (wire contract, outcome of a fetch), and a browser with our
      // own name is refused as well. A bot check is worth a browser before a more expensive proxy.
      return (
        enhanced ||
        (renders &&
          (attempt.proxy === "enhanced" ||
            !hasEnhanced ||
            (hasBetterProxy && kind === "bot_check")))
      );
    case undefined:
      return false;
  }
}
