// Tasks beyond printing a page: data that matches a schema, an answer to a question.
import { readFileSync } from "node:fs";
import { RequestError } from "../../errors.ts";

export type PageTasks = {
  /** A JSON Schema, or the file that contains one. */
  readonly schema?: string;
  readonly prompt?: string;
  readonly evidence?: boolean;
  readonly question?: string;
  /** Id of a stored extractor. */
  readonly extractor?: string;
};

/** Adds the options to the formats; json and question are added if only their options are given. */
export function withTasks(formats: readonly unknown[], tasks: PageTasks): unknown[] {
  const wantsJson =
    tasks.schema !== undefined || tasks.prompt !== undefined || tasks.extractor !== undefined;
  if (tasks.evidence === true && !wantsJson && !formats.includes("json"))
    throw new RequestError(
      "BAD_REQUEST",
      "--evidence needs a json format: add --schema, --prompt or --extractor.",
    );
  const made = formats.map((format) => (format === "json" ? buildJsonFormat(tasks) : format));
  if (wantsJson && !formats.includes("json")) made.push(buildJsonFormat(tasks));
  if (tasks.question !== undefined) made.push({ type: "question", question: tasks.question });
  return made;
}

/** True if these options alone define a task for the page. */
export const hasTasks = ({ schema, prompt, question, extractor }: PageTasks): boolean =>
  [schema, prompt, question, extractor].some((task) => task !== undefined);

function buildJsonFormat({
  schema,
  prompt,
  evidence,
  extractor,
}: PageTasks): Record<string, unknown> {
  const format: Record<string, unknown> = { type: "json" };
  if (schema !== undefined) format["schema"] = readSchema(schema);
  if (prompt !== undefined) format["prompt"] = prompt;
  if (extractor !== undefined) format["extractor"] = extractor;
  if (evidence === true) format["evidence"] = true;
  return format;
}

/** Reads a JSON Schema from the text if it starts with a brace, otherwise from the file. */
export const readSchema = (file: string): unknown => readJsonOption(file, "--schema");

/** Reads JSON from the text if it starts like an object or list, otherwise from the file. */
export function readJsonOption(file: string, option: string): unknown {
  if (/^\s*[{[]/.test(file)) return parseJson(file, "what is given", option);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `${option}: ${file} cannot be read (${code}).`, {
      cause: error,
    });
  }
  return parseJson(text, file, option);
}

function parseJson(text: string, source: string, option: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError("BAD_REQUEST", `${option}: ${source} is not JSON (${reason}).`, {
      cause: error,
    });
  }
}
