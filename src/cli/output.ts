// Where the documents of a job go: nowhere, into a folder, into a file of lines, or to standard output.
import type { Document } from "../../client/wire.ts";
import { RequestError } from "../errors.ts";

export type Output = {
  /** For people: the folder or file. */
  readonly where: string;
  /** Documents of this job that are written already: so many results are passed over. */
  readonly written: number;
  /** Which of those are gone again, by their places in the results, from 0, ascending. */
  readonly gone: readonly number[];
  /** Writes documents in the order of the results; resolves to the file of each, where it has its own. */
  add(documents: readonly Document[]): Promise<(string | undefined)[]>;
  /** Writes a document again whose place is one of `gone`; undefined when it is another one than was written there. */
  restore(place: number, document: Document): Promise<string | undefined>;
  close(): Promise<void>;
};

/** The job whose documents are written. */
export type OutputJob = {
  readonly id: string;
  /** The first document of its results, where there is one. */
  readonly first: () => Promise<Document | undefined>;
};

/** What a file of the output says about its page's address. */
export const addressOf = ({ metadata }: Document): string =>
  metadata.sourceURL ?? metadata.url ?? "";

export const fault = (target: string, error: unknown): RequestError => {
  const { code } = error as NodeJS.ErrnoException;
  const text = `--out: ${target} cannot be written (${code ?? String(error)}).`;
  return new RequestError("BAD_REQUEST", text, { cause: error });
};
