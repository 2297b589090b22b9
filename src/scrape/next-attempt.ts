// The ladder: decides whether the next attempt of the plan is worth its price after the last one
// ended.
import type { Attempt, Plan } from "../engines/plan.ts";
import { renders } from "../engines/registry.ts";
import type { Verdict } from "../html/evidence/verdict.ts";

export type AttemptEnding =
  | { readonly kind: "captured"; readonly verdict: Verdict }
  /** The URL is a file, which plain HTTP fetches. */
  | { readonly kind: "unsuitable" }
  | { readonly kind: "failed" };

export type AttemptRecord = { readonly attempt: Attempt; readonly ending: AttemptEnding };

/** Orders the attempts: browser first if the host recently needed one. */
export function orderAttempts(
  { attempts, needsBrowser }: Plan,
  wasNeeded: boolean,
): readonly Attempt[] {
  if (needsBrowser.length > 0 || !wasNeeded) return attempts;
  const first = attempts.find(({ engine }) => renders(engine));
  return first === undefined
    ? attempts
    : [first, ...attempts.filter((attempt) => attempt !== first)];
}

export type LadderRules = {
  readonly needsBrowser: boolean;
  /** True if the plan has enhanced attempts. */
  readonly hasEnhanced: boolean;
  /** True if they use another address. */
  readonly hasBetterProxy: boolean;
};

/**
 * Plain HTTP serves files only when a browser is required; otherwise the verdict names the remedy.
 */
export function isWorthTrying(
  attempt: Attempt,
  last: AttemptRecord | undefined,
  { needsBrowser, hasEnhanced, hasBetterProxy }: LadderRules,
): boolean {
  if (last === undefined) return !needsBrowser || renders(attempt.engine);
  const { ending } = last;
  if (ending.kind === "unsuitable")
    return !renders(attempt.engine) && attempt.proxy === last.attempt.proxy;
  if (needsBrowser && !renders(attempt.engine)) return false;
  const enhanced = attempt.proxy === "enhanced" && last.attempt.proxy === "basic";
  // From the same address "enhanced" does not help against rate limits or silent sites.
  const better = enhanced && hasBetterProxy;
  if (ending.kind === "failed")
    return better || (renders(last.attempt.engine) && !renders(attempt.engine));
  const addsScripts = renders(attempt.engine) && !renders(last.attempt.engine);
  const { kind, remedy } = ending.verdict;
  switch (remedy) {
    case "browser":
      return addsScripts && attempt.proxy === last.attempt.proxy;
    case "proxy":
      return better;
    case "any":
      // A 403 is returned to the caller (wire contract, outcome of a fetch), and a browser with our
      // own name is refused as well. A bot check is worth a browser before a more expensive proxy.
      return (
        enhanced ||
        (addsScripts &&
          (attempt.proxy === "enhanced" ||
            !hasEnhanced ||
            (hasBetterProxy && kind === "bot_check")))
      );
    case undefined:
      return false;
  }
}
