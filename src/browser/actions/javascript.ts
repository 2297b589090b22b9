// Runs the caller's script in the page. Returns its value as JSON, bounded in time, size and depth.
import type { CDPSession } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import { StepFault } from "./failure.ts";
import { STEP_MS } from "./step.ts";

export type ScriptReturn = { readonly type: string; readonly value: unknown };

/** Maximum characters of one value as JSON. */
const MAX_CHARACTERS = 5 * 1024 * 1024;
const MAX_DEPTH = 500;

/**
 * Runs `script` in the main frame. Its value is that of its last expression or its return value;
 * promises are awaited and functions called. An endless loop is terminated. A script that navigates
 * away has no value. Throws StepFault.
 */
export async function executeJavascript(
  session: CDPSession,
  script: string,
  deadline: Deadline,
): Promise<ScriptReturn> {
  using until = deadline.createChild(STEP_MS.script);
  const answer = await until.race(
    evaluate(session, script, Math.max(1, Math.floor(until.getTimeLeftMs() - 100))),
  );
  if (answer === undefined) return { type: "undefined", value: null };
  const { type, json } = answer;
  if (json === "") return { type, value: null };
  if (json.length > MAX_CHARACTERS || measureDepth(json) > MAX_DEPTH) throw createTooLargeFault();
  return { type, value: JSON.parse(json) };
}

type Answer = { readonly type: string; readonly json: string };

/** Undefined if the page was left while the script ran. */
async function evaluate(
  session: CDPSession,
  script: string,
  timeoutMs: number,
): Promise<Answer | undefined> {
  const expression = `(${runScript.toString()})(${JSON.stringify(script)}, ${MAX_CHARACTERS})`;
  try {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
      timeout: timeoutMs,
    });
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails;
      throw new StepFault(describe(exception?.description ?? exception?.value ?? text));
    }
    const answer: unknown = result.value;
    if (isAnswer(answer)) return answer;
    throw new StepFault("the page modified the script's result");
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StepFault) throw error;
    if (/context was destroyed|navigated or closed|Cannot find context/i.test(error.message))
      return undefined;
    if (/execution was terminated|timed out/i.test(error.message))
      throw new StepFault(`the script did not end within ${timeoutMs} ms`, { cause: error });
    if (/too large|maximum message|string length/i.test(error.message))
      throw createTooLargeFault(error);
    throw error;
  }
}

/** Runs in the page, so it can use only its arguments. */
async function runScript(script: string, maxCharacters: number): Promise<Answer> {
  const isElement = (part: unknown): part is { outerHTML: string } =>
    typeof part === "object" && part !== null && "outerHTML" in part && "nodeType" in part;
  // Indirect eval: the script sees the page's globals but not these names.
  // oxlint-disable-next-line no-eval -- runs the caller's script in the page
  const run = globalThis.eval;
  let value: unknown;
  try {
    value = run(script);
  } catch (error) {
    const needsFunction =
      error instanceof SyntaxError && /Illegal return|await is only valid/.test(error.message);
    if (!needsFunction) throw error;
    value = run(`(async () => {\n${script}\n})()`);
  }
  if (typeof value === "function") value = (value as () => unknown)();
  value = await value;
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (isElement(part)) return part.outerHTML;
    return part instanceof Error ? String(part) : part;
  }) as string | undefined;
  if (json !== undefined && json.length > maxCharacters)
    return { type: typeof value, json: " ".repeat(maxCharacters + 1) };
  return { type: typeof value, json: json ?? "" };
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  typeof value.type === "string" &&
  "json" in value &&
  typeof value.json === "string";

const createTooLargeFault = (cause?: unknown): StepFault =>
  new StepFault(
    `the value of the script is larger than ${MAX_CHARACTERS} characters of JSON or nested deeper than ${MAX_DEPTH} levels`,
    { cause },
  );

function describe(thrown: unknown): string {
  const text = typeof thrown === "string" ? thrown : JSON.stringify(thrown);
  return `the script threw ${(text.split("\n", 1)[0] ?? "").slice(0, 500)}`;
}

/** Returns the nesting depth of a JSON text. */
function measureDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}
