// Prints one document on standard output or to a file, and notes about it on standard error.
import { writeFile } from "node:fs/promises";
import type { Fetch } from "../../../client/transport.ts";
import type { Document } from "../../contract/page/document.ts";
import { RequestError } from "../../errors.ts";
import { toTerminalText } from "../terminal/guard-terminal.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { printExplanation, type ExplanationParts } from "./explain.ts";
import { resolveOutput, isBinary, writeFolder, writeFormat } from "./document-files.ts";
import { judgeDocument, type JudgeOptions } from "./judge-document.ts";
import { reportFailure } from "../terminal/report-failure.ts";

export type PrintOptions = JudgeOptions & {
  readonly explain?: boolean;
  readonly evidence?: boolean;
  /** File for the page with the kept parts highlighted. */
  readonly overlay?: string;
  readonly out?: string;
};

/** Requests explanations, if wanted, and stores the last one. */
export class ExplanationRecorder {
  explanation: Promise<ExplanationParts | undefined> = Promise.resolve(undefined);

  listen(options: PrintOptions): (fetch: Fetch) => Fetch {
    if (options.explain !== true && options.overlay === undefined) return (fetch) => fetch;
    const asked = options.overlay === undefined ? "1" : "overlay";
    return (fetch) => async (address, init) => {
      const response = await fetch(address, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), "x-quarry-explain": asked },
      });
      this.explanation = readExplanation(response.clone());
      return response;
    };
  }
}

/** Reads it from a single body, or from the last line of NDJSON. */
async function readExplanation(response: Response): Promise<ExplanationParts | undefined> {
  type Answer = { readonly explanation?: ExplanationParts; readonly body?: Answer };
  try {
    const text = (await response.text()).trimEnd();
    const answer = JSON.parse(text.slice(text.lastIndexOf("\n") + 1)) as Answer;
    return (answer.body ?? answer).explanation;
  } catch {
    // The caller reports errors of the answer.
    return undefined;
  }
}

/**
 * Prints the document or writes it to `--out`; warnings, the page's error and the explanation go to
 * standard error. A page without the requested content is reported as a failure.
 */
export async function printDocument(
  document: Document,
  formats: readonly string[],
  options: PrintOptions,
  explained: { readonly explanation: ExplanationParts | undefined; readonly where: string },
): Promise<void> {
  const judgment = await judgeDocument(document, formats, options);
  if (judgment?.isWithheld !== true) await deliver(document, formats, options);
  if (options.json !== true && judgment?.isWithheld !== true) describeMetadata(document);
  const { explanation, where } = explained;
  if (explanation !== undefined && options.explain === true) printExplanation(explanation, where);
  if (options.overlay !== undefined) {
    if (explanation?.overlay === undefined)
      process.stderr.write(
        "no overlay: this is not a page, or the server does not create overlays\\n",
      );
    else await writeText("--overlay", options.overlay, explanation.overlay);
  }
  if (judgment !== undefined) reportFailure(judgment.failure, options.json === true);
}

/** With --json these are in the document. */
function describeMetadata({ warning, metadata: { error } }: Document): void {
  if (warning !== undefined) process.stderr.write(`warning: ${toPlainLine(warning)}\n`);
  if (error !== undefined) process.stderr.write(`the page answered: ${toPlainLine(error)}\n`);
}

async function deliver(
  document: Document,
  formats: readonly string[],
  options: PrintOptions,
): Promise<void> {
  const target = await resolveOutput(options.out, formats, options.json === true);
  const text = render(document, formats, options);
  if (options.out === undefined)
    process.stdout.write(process.stdout.isTTY ? toTerminalText(text) : text);
  else if (target === "folder") {
    const names = await writeFolder(options.out, document);
    process.stderr.write(`Written to ${options.out}: ${names.join(", ")}\n`);
  } else {
    const { metadata: _metadata, warning: _warning, ...rest } = document;
    const [only] = Object.entries(rest);
    if (target === "one" && only !== undefined && isBinary(only[0]))
      await writeFormat(options.out, ...only);
    else await writeText("--out", options.out, text);
  }
}

async function writeText(option: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `${option}: ${file} cannot be written (${code}).`, {
      cause: error,
    });
  }
}

/**
 * A single text format is printed as text and data as JSON; several formats as the whole document.
 */
function render(document: Document, formats: readonly string[], options: PrintOptions): string {
  const { metadata: _metadata, warning: _warning, ...rest } = document;
  const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  if (options.json === true) return toJson(document);
  if (formats.length === 1 && formats[0] === "json") {
    const { json = null, jsonEvidence } = rest;
    return toJson(options.evidence === true ? { json, jsonEvidence } : json);
  }
  const values = Object.values(rest);
  const [only] = values;
  if (values.length !== 1) return toJson(document);
  if (typeof only === "string") return only.endsWith("\n") ? only : `${only}\n`;
  if (Array.isArray(only) && only.every((item) => typeof item === "string"))
    return only.map((item) => `${String(item)}\n`).join("");
  return toJson(document);
}
