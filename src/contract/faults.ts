// From a failed check to the answer's words: wire contract, section 1.5.
import type { z } from "zod";
import type { ErrorCode } from "./error-codes.ts";
import { findPresentName } from "./former-names.ts";

/** One fault of a request, as it stands in `details`. */
export type Issue = {
  readonly code: string;
  readonly path: (string | number)[];
  readonly message: string;
  readonly keys?: string[];
} & Readonly<Record<string, unknown>>;

/** Text and code of a 400; `error` and `details` go into the body as they are. */
export type FaultBody = {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details: Issue[];
};

type ZodIssue = z.core.$ZodIssue;

export const UNKNOWN_KEY_TEXT =
  "Unrecognized key in body -- please review the v2 API documentation for request body changes";

/**
 * How well the branch of a union met the value: a fault inside an object beats one of the value itself, and a value of
 * the right type beats one of the wrong type.
 */
function rankBranch(branch: readonly ZodIssue[]): number {
  const isInside = branch.some(
    (issue) => issue.path.length > 0 || issue.code === "unrecognized_keys",
  );
  if (isInside) return 3;
  if (branch.some((issue) => issue.code === "invalid_type")) return 1;
  // An enum or literal says invalid_value whatever the type was.
  return branch.some((issue) => issue.code === "invalid_value") ? 2 : 3;
}

function flatten(issue: ZodIssue, prefix: readonly PropertyKey[] = []): ZodIssue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ ...issue, path }];
  const best = issue.errors.reduce((left, right) =>
    rankBranch(right) > rankBranch(left) ? right : left,
  );
  return best.flatMap((inner) => flatten(inner, path));
}

/** The answer must stay small whatever was sent: faults and keys that are listed, characters of a text that is repeated. */
const MOST_LISTED = 20;
const MOST_OF_A_NAME = 100;
const MOST_OF_A_TEXT = 2_000;

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function nameKeys(keys: readonly string[]): string {
  const named = keys.slice(0, MOST_LISTED);
  const text = named.map((key) => JSON.stringify(shorten(key, MOST_OF_A_NAME))).join(", ");
  return named.length === keys.length ? text : `${text} and ${keys.length - named.length} more`;
}

/** What to write in place of keys that are not known, as far as that is known. */
function nameReplacements(keys: readonly string[]): string {
  const named = keys.slice(0, MOST_LISTED).flatMap((key) => {
    const present = findPresentName(key);
    return present === undefined ? [] : [`; in place of ${JSON.stringify(key)} write ${present}`];
  });
  return named.join("");
}

/** The words of a schema of ours, or undefined when they are the checker's own. */
function ownWords({ message }: ZodIssue): string | undefined {
  return message.startsWith("Invalid ") ? undefined : message;
}

function nameField(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path)
    name +=
      typeof part === "number"
        ? `[${part}]`
        : `${name === "" ? "" : "."}${shorten(String(part), MOST_OF_A_NAME)}`;
  return name === "" ? "body" : name;
}

function nameSize(origin: string, bound: number | bigint): string {
  if (origin === "string") return bound === 1 ? " character" : " characters";
  if (origin !== "array" && origin !== "set") return "";
  return bound === 1 ? " entry" : " entries";
}

const oneOf = (values: readonly unknown[]): string =>
  `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;

function toMessage(issue: ZodIssue): string {
  const field = nameField(issue.path);
  switch (issue.code) {
    case "custom":
      return issue.message;
    case "invalid_type":
      return `${field}: ${issue.message.replace(/^Invalid input: /, "")}`;
    case "unrecognized_keys":
      return `${field}: unrecognized ${issue.keys.length === 1 ? "key" : "keys"} ${nameKeys(issue.keys)}${nameReplacements(issue.keys)}`;
    case "too_big":
      return `${field}: must be ${issue.inclusive === false ? "less than" : "at most"} ${String(issue.maximum)}${nameSize(issue.origin, issue.maximum)}`;
    case "too_small":
      return `${field}: must be ${issue.inclusive === false ? "more than" : "at least"} ${String(issue.minimum)}${nameSize(issue.origin, issue.minimum)}`;
    case "invalid_value":
      return `${field}: ${ownWords(issue) ?? oneOf(issue.values)}`;
    case "invalid_union":
      return issue.discriminator === undefined
        ? `${field}: does not fit any allowed form`
        : `${field}: ${ownWords(issue) ?? oneOf("options" in issue ? (issue.options ?? []) : [])}`;
    default:
      return `${field}: ${issue.message.replace(/^Invalid input: /, "")}`;
  }
}

const LIMIT_KEYS = ["expected", "minimum", "maximum", "inclusive", "values", "format", "keys"];

const listedKeys = (keys: readonly string[]): string[] =>
  keys.slice(0, MOST_LISTED).map((key) => shorten(key, MOST_OF_A_NAME));

function toIssues(issues: readonly ZodIssue[]): Issue[] {
  const listed = issues.slice(0, MOST_LISTED).map(toIssue);
  const more = issues.length - listed.length;
  if (more > 0) listed.push({ code: "more", path: [], message: `and ${more} more` });
  return listed;
}

function toIssue(issue: ZodIssue): Issue {
  const facts = issue as unknown as Record<string, unknown>;
  const limits = LIMIT_KEYS.filter((key) => facts[key] !== undefined);
  return {
    code: issue.code,
    path: issue.path.map((part) =>
      typeof part === "number" ? part : shorten(String(part), MOST_OF_A_NAME),
    ),
    message: shorten(toMessage(issue), MOST_OF_A_TEXT),
    ...Object.fromEntries(limits.map((key) => [key, facts[key]])),
    ...(issue.code === "unrecognized_keys" ? { keys: listedKeys(issue.keys) } : {}),
  };
}

/** A rule may carry its own code: `context.addIssue({ code: "custom", message, params: { errorCode } })`. */
function findRuleCode(issue: ZodIssue): ErrorCode {
  const code: unknown = issue.code === "custom" ? issue.params?.["errorCode"] : undefined;
  return (code as ErrorCode | undefined) ?? "BAD_REQUEST";
}

/**
 * What a 400 says about a request that does not fit its schema: an unknown key anywhere gives the fixed text, else the
 * first issue's own text when a rule of ours made it, else `fallback`. `details` lists every issue with code, path and
 * a message that names field and limit, twenty of them at most; issues inside unions are taken from the form the value came closest to.
 */
export function toErrorBody(
  error: z.ZodError,
  fallback = "Bad Request",
  unknownKeyText: string = UNKNOWN_KEY_TEXT,
): FaultBody {
  const issues = error.issues.flatMap((issue) => flatten(issue));
  const details = toIssues(issues);
  if (issues.some((issue) => issue.code === "unrecognized_keys"))
    return { error: unknownKeyText, code: "BAD_REQUEST", details };
  const [first] = issues;
  if (first?.code !== "custom") return { error: fallback, code: "BAD_REQUEST", details };
  return { error: shorten(first.message, MOST_OF_A_TEXT), code: findRuleCode(first), details };
}
