// One document on standard output or in a file; what is to be known about it on standard error.
import { writeFile } from "node:fs/promises";
import type { Fetch } from "../../client/transport.ts";
import type { Document } from "../contract/document.ts";
import { RequestError } from "../errors.ts";
import { toTerminalText } from "./guard-terminal.ts";
import { toPlainLine } from "./terminal-text.ts";
import { printExplanation, type Told } from "./explain.ts";

export type PrintOptions = {
  readonly json?: boolean;
  readonly explain?: boolean;
  /** Where the page goes with what was kept of it in colour. */
  readonly overlay?: string;
  readonly out?: string;
};

/** Asks for explanations, where they are wanted, and keeps the last one. */
export class ExplanationEar {
  explanation: Promise<Told | undefined> = Promise.resolve(undefined);

  listen(options: PrintOptions): (fetch: Fetch) => Fetch {
    if (options.explain !== true && options.overlay === undefined) return (fetch) => fetch;
    const asked = options.overlay === undefined ? "1" : "overlay";
    return (fetch) => async (address, init) => {
      const response = await fetch(address, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), "x-quarry-explain": asked },
      });
      this.explanation = explanationIn(response.clone());
      return response;
    };
  }
}

/** Of an answer in one piece, or of the last line of one in lines. */
async function explanationIn(response: Response): Promise<Told | undefined> {
  type Answer = { readonly explanation?: Told; readonly body?: Answer };
  try {
    const text = (await response.text()).trimEnd();
    const answer = JSON.parse(text.slice(text.lastIndexOf("\n") + 1)) as Answer;
    return (answer.body ?? answer).explanation;
  } catch {
    // Who reads the answer itself is told what is wrong with it.
    return undefined;
  }
}

/** Prints the document; its warning, the error of its page and the explanation go to standard error. */
export async function printDocument(
  document: Document,
  options: PrintOptions,
  explained: { readonly explanation: Told | undefined; readonly where: string },
): Promise<void> {
  const text = render(document, options);
  if (options.out === undefined)
    process.stdout.write(process.stdout.isTTY ? toTerminalText(text) : text);
  else await writeOut("--out", options.out, text);
  if (document.warning !== undefined)
    process.stderr.write(`warning: ${toPlainLine(document.warning)}\n`);
  if (document.metadata.error !== undefined)
    process.stderr.write(`the page answered: ${toPlainLine(document.metadata.error)}\n`);
  const { explanation, where } = explained;
  if (explanation !== undefined && options.explain === true) printExplanation(explanation, where);
  if (options.overlay === undefined) return;
  if (explanation?.overlay === undefined)
    process.stderr.write("no overlay: what came is no page, or the server does not draw any\n");
  else await writeOut("--overlay", options.overlay, explanation.overlay);
}

async function writeOut(option: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `${option}: ${file} cannot be written (${code}).`, {
      cause: error,
    });
  }
}

/** One text format is printed as it is, data alone as its JSON; several, or any other, as the whole document. */
function render(document: Document, options: PrintOptions): string {
  const { metadata: _metadata, warning: _warning, ...formats } = document;
  const values = Object.values(formats);
  const [only] = values;
  if (options.json !== true && values.length === 1 && typeof only === "string")
    return only.endsWith("\n") ? only : `${only}\n`;
  if (
    options.json !== true &&
    values.length === 1 &&
    Array.isArray(only) &&
    only.every((item) => typeof item === "string")
  ) {
    return only.map((item) => `${String(item)}\n`).join("");
  }
  const isData = options.json !== true && values.length === 1 && formats.json !== undefined;
  return `${JSON.stringify(isData ? formats.json : document, null, 2)}\n`;
}
