// Callers' regular expressions. They run over every URL of a crawl, so they use RE2: linear time,
// which excludes look-around and back references.
import { RE2JS, RE2JSException } from "re2js";
import { z } from "zod";

const MAX_PATTERNS = 1_000;
const MAX_CHARACTERS = 10_000;
/** Maximum compiled instructions per field; a repeat such as `x{1,500}` counts fully. */
const MAX_INSTRUCTIONS = 100_000;

const LOOK_AROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/;
const BACK_REFERENCE = /(?<!\\)(?:\\\\)*\\[1-9]/;
const NAMED_REFERENCE = /(?<!\\)(?:\\\\)*\\k</;
const NO_REFERENCE = "back references are not supported, because patterns run in linear time";

/** Compiles a pattern in JavaScript or RE2 syntax. Throws SyntaxError with the reason. */
export function compilePattern(pattern: string): RE2JS {
  // The translation would read \k<name> as literal text.
  if (NAMED_REFERENCE.test(pattern)) throw new SyntaxError(NO_REFERENCE);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (error instanceof RE2JSException) throw new SyntaxError(describeReason(pattern, error));
    throw error;
  }
}

function describeReason(pattern: string, error: Error): string {
  if (LOOK_AROUND.test(pattern))
    return "look-ahead and look-behind are not supported, because patterns run in linear time";
  if (BACK_REFERENCE.test(pattern)) return NO_REFERENCE;
  return error.message.replace(/^error parsing regexp: /, "").slice(0, 300);
}

/** A list of patterns. An error names the field, the index and the pattern. */
export function buildPatternsSchema(field: string) {
  return z
    .array(z.string().max(MAX_CHARACTERS))
    .max(MAX_PATTERNS)
    .superRefine((patterns, context) => {
      const fault = findPatternFault(patterns);
      if (fault === undefined) return;
      const pattern = JSON.stringify((patterns[fault.index] ?? "").slice(0, 200));
      context.addIssue({
        code: "custom",
        path: [fault.index],
        message: `${field}[${fault.index}]: Invalid regular expression ${pattern}: ${fault.reason}`,
      });
    });
}

/** Returns the first invalid pattern and stops there, which bounds the cost of a list. */
function findPatternFault(
  patterns: readonly string[],
): { index: number; reason: string } | undefined {
  let instructions = 0;
  for (const [index, pattern] of patterns.entries()) {
    try {
      instructions += compilePattern(pattern).programSize();
    } catch (error) {
      if (error instanceof SyntaxError) return { index, reason: error.message };
      throw error;
    }
    if (instructions > MAX_INSTRUCTIONS)
      return { index, reason: "the patterns up to here are too large together; use fewer repeats" };
  }
  return undefined;
}
