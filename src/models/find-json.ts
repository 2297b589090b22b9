// Finds JSON in model output, which may contain text before it, code fences or thoughts.

/** Removes the thoughts that reasoning models write before their answer. */
export function withoutThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end === -1 ? text : text.slice(end + "</think>".length);
}

/**
 * Returns the JSON value in a text: the whole text, a code fence, or the first object or list.
 * Returns undefined if there is none.
 */
export function findJson(written: string): unknown {
  const text = withoutThoughts(written).trim();
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const fenced = /```(?:json|JSON)?([\s\S]*?)```/.exec(text)?.[1];
  if (fenced !== undefined) {
    const inner = parse(fenced.trim());
    if (inner !== undefined) return inner;
  }
  const start = text.search(/[{[]/);
  if (start === -1) return undefined;
  const end = endOfValue(text, start);
  return end === undefined ? undefined : parse(text.slice(start, end));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the end of the object or list at `start`, or undefined if it is not closed. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === "\\") at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
