// JSON in what a model wrote: models put words before it, fences around it, thoughts above it.

/** Text without the thoughts that reasoning models put in front of their answer. */
export function withoutThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end === -1 ? text : text.slice(end + "</think>".length);
}

/** The JSON value in a text: the whole of it, what stands in a fence, or the first object or list. Undefined without one. */
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

/** Where the object or list that begins at `start` ends; undefined when it does not. */
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
