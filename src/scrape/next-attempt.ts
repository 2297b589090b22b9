// The ladder: given how the last attempt ended, is the next one of the plan worth its price?
import type { Attempt, Plan } from "../engines/plan.ts";
import type { Verdict } from "../engines/verdict.ts";

export type Ending =
  | { readonly kind: "captured"; readonly verdict: Verdict }
  /** The URL leads to a file, which plain HTTP fetches. */
  | { readonly kind: "unsuitable" }
  | { readonly kind: "failed" };

export type Tried = { readonly attempt: Attempt; readonly ending: Ending };

/** The attempts in the order in which they should be tried: the browser first where one was needed lately. */
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
  /** Does the plan have enhanced attempts at all? */
  readonly hasEnhanced: boolean;
  /** Do they come from another address? */
  readonly hasBetterProxy: boolean;
};

/** Plain HTTP where a browser is needed serves files only; otherwise the verdict says what may help. */
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
  // From the same address, "enhanced" is no answer to a limit or to a site that does not answer.
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
      // A 403 is for who asks (wire contract, outcome of a fetch), and a browser that says who asks is refused as well. A bot
      // check is worth a try before a dearer proxy is.
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
