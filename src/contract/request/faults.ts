// Converts failed validation to the error response: wire contract, section 1.5.
import type { z } from "zod";
import type { ErrorCode } from "./error-codes.ts";
import {
  type CheckedValue,
  MAX_LISTED,
  describeUnknownKeys,
  shorten,
  shortenName,
  toMessage,
  type ZodIssue,
} from "./fault-messages.ts";

/** One issue of a request, as in `details`. */
export type Issue = {
  readonly code: string;
  readonly path: (string | number)[];
  readonly message: string;
  readonly keys?: string[];
} & Readonly<Record<string, unknown>>;

/** Text and code of a 400; `error` and `details` go into the body unchanged. */
export type FaultBody = {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details: Issue[];
};

export const UNKNOWN_KEY_TEXT =
  "Unrecognized key in body -- please review the v2 API documentation for request body changes";

/**
 * Ranks how well a union branch fits: an issue inside an object beats one of the value itself, and
 * the right type beats the wrong one.
 */
function rankBranch(branch: readonly ZodIssue[]): number {
  const isInside = branch.some(
    (issue) => issue.path.length > 0 || issue.code === "unrecognized_keys",
  );
  if (isInside) return 3;
  if (branch.some((issue) => issue.code === "invalid_type")) return 1;
  // An enum or literal reports invalid_value for any type.
  return branch.some((issue) => issue.code === "invalid_value") ? 2 : 3;
}

function flatten(issue: ZodIssue, prefix: readonly PropertyKey[] = []): ZodIssue[] {
  // A request may have a hundred thousand issues, nearly all outside unions.
  if (prefix.length === 0 && issue.code !== "invalid_union") return [issue];
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ ...issue, path }];
  const best = issue.errors.reduce((left, right) =>
    rankBranch(right) > rankBranch(left) ? right : left,
  );
  return best.flatMap((inner) => flatten(inner, path));
}

const MAX_TEXT_CHARACTERS = 2_000;
/** Maximum length of the text that most clients print. */
const MAX_ERROR_CHARACTERS = 600;

const LIMIT_KEYS = ["expected", "minimum", "maximum", "inclusive", "values", "format", "keys"];

const readListedKeys = (keys: readonly string[]): string[] =>
  keys.slice(0, MAX_LISTED).map((key) => shortenName(key));

function toIssues(issues: readonly ZodIssue[], checked: CheckedValue): Issue[] {
  const listed = issues.slice(0, MAX_LISTED).map((issue) => toIssue(issue, checked));
  const more = issues.length - listed.length;
  if (more > 0) listed.push({ code: "more", path: [], message: `and ${more} more` });
  return listed;
}

function toIssue(issue: ZodIssue, checked: CheckedValue): Issue {
  const facts = issue as unknown as Record<string, unknown>;
  const limits = LIMIT_KEYS.filter((key) => facts[key] !== undefined);
  return {
    code: issue.code,
    path: issue.path.map((part) => (typeof part === "number" ? part : shortenName(String(part)))),
    message: shorten(toMessage(issue, checked), MAX_TEXT_CHARACTERS),
    ...Object.fromEntries(limits.map((key) => [key, facts[key]])),
    ...(issue.code === "unrecognized_keys" ? { keys: readListedKeys(issue.keys) } : {}),
  };
}

/**
 * A rule may carry its own code: `context.addIssue({ code: "custom", message, params: { errorCode }
 * })`.
 */
function findRuleCode(issue: ZodIssue): ErrorCode {
  const code: unknown = issue.code === "custom" ? issue.params?.["errorCode"] : undefined;
  return (code as ErrorCode | undefined) ?? "BAD_REQUEST";
}

/**
 * Builds the 400 body for a request that does not match its schema. `error` starts with a text that
 * clients know and then names the first issue: unknown keys come first, and our own rules have
 * their own text. `details` lists at most twenty issues with code, path and a message naming field
 * and limit. Issues inside unions come from the branch closest to the value. `checked` is the
 * validated value, for suggestions.
 */
export function toErrorBody(
  error: z.ZodError,
  fallback = "Bad Request",
  unknownKeyText: string = UNKNOWN_KEY_TEXT,
  checked: CheckedValue = {},
): FaultBody {
  const issues = error.issues.flatMap((issue) => flatten(issue));
  const details = toIssues(issues, checked);
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown !== undefined) {
    const named = `${unknownKeyText}: ${describeUnknownKeys(unknown, checked)}`;
    return { error: shorten(named, MAX_ERROR_CHARACTERS), code: "BAD_REQUEST", details };
  }
  const [first] = issues;
  if (first === undefined) return { error: fallback, code: "BAD_REQUEST", details };
  if (first.code === "custom")
    return {
      error: shorten(toMessage(first, checked), MAX_TEXT_CHARACTERS),
      code: findRuleCode(first),
      details,
    };
  const named = `${fallback}: ${toMessage(first, checked)}`;
  return { error: shorten(named, MAX_ERROR_CHARACTERS), code: "BAD_REQUEST", details };
}
