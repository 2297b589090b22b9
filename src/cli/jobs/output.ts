// Destination of a job's documents: nowhere, a folder, an NDJSON file, or standard output.
import type { Document } from "../../../client/wire.ts";
import { RequestError } from "../../errors.ts";

export type Output = {
  /** The folder or file, for people. */
  readonly where: string;
  /** Documents of this job that are already written; as many results are skipped. */
  readonly written: number;
  /** Offsets of written documents that are missing now, ascending from 0. */
  readonly gone: readonly number[];
  /** Writes documents in the order of the results; resolves to the file of each, if it has one. */
  add(documents: readonly Document[]): Promise<(string | undefined)[]>;
  /** Rewrites a document whose offset is in `gone`; undefined when it is not the same document. */
  restore(place: number, document: Document): Promise<string | undefined>;
  close(): Promise<void>;
};

/** The job whose documents are written. */
export type OutputJob = {
  readonly id: string;
  /** The first document of its results, if any. */
  readonly first: () => Promise<Document | undefined>;
};

/** The URL of a document's page in the output. */
export const readAddress = ({ metadata }: Document): string =>
  metadata.sourceURL ?? metadata.url ?? "";

export const createFault = (target: string, error: unknown): RequestError => {
  const { code } = error as NodeJS.ErrnoException;
  const text = `--out: ${target} cannot be written (${code ?? String(error)}).`;
  return new RequestError("BAD_REQUEST", text, { cause: error });
};
