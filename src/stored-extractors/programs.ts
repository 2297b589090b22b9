// The programs of stored extractors for scrapes: loads them and records their results.
import type { Identity } from "../account/identity.ts";
import { programSchema, type ExtractorProgram } from "../contract/extractors/program.ts";
import { RequestError } from "../errors.ts";
import type { ExtractorRun, StoredProgram } from "../formats/derivation.ts";
import type { Logger } from "../logger.ts";
import type { ExtractorPrograms } from "../scrape/replay-extractor.ts";
import type { ExtractorRecord, ExtractorStore } from "../store/accounts/extractors.ts";
import { addPage, NEW_HEALTH, type Health } from "./health.ts";

export type ProgramsParts = {
  readonly store: () => Promise<{ readonly extractors: ExtractorStore }>;
  readonly log: Logger;
  readonly now?: () => number;
};

/** Called when an extractor starts to drift. */
type DriftListener = (record: ExtractorRecord, identity: Identity) => void;

export type Programs = ExtractorPrograms & {
  /** Settles when all recorded results are stored. */
  flush(): Promise<void>;
  onDrift(listener: DriftListener): void;
};

type PendingUpdate = {
  readonly program: StoredProgram;
  readonly run: ExtractorRun;
  readonly identity: Identity;
};

const UNKNOWN = "There is no extractor with this id.";
export const createUnknownExtractorError = (): RequestError =>
  new RequestError("NOT_FOUND", UNKNOWN);

export const readProgram = ({ program }: ExtractorRecord): ExtractorProgram =>
  programSchema.parse(program);

export function createPrograms({ store, log, now = Date.now }: ProgramsParts): Programs {
  const pending = new Map<string, PendingUpdate[]>();
  const listeners: DriftListener[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Results of one extractor that arrive meanwhile are written together. */
  async function write(id: string): Promise<void> {
    const pages = pending.get(id) ?? [];
    pending.delete(id);
    const [first] = pages;
    if (first === undefined) return;
    const { extractors } = await store();
    let before: ExtractorRecord | undefined;
    const after = await extractors.update(first.identity.accountId, id, (record) => {
      before = record;
      const program = readProgram(record);
      let health = (record.health ?? NEW_HEALTH) as Health;
      for (const { run, program: used } of pages)
        // Results of an earlier program do not count for this one.
        if (used.version === record.version)
          health = addPage(health, { match: run.templateMatch, counts: run.counts }, program);
      const state = health.reason === undefined ? "ready" : "drifted";
      return {
        ...record,
        health,
        state,
        updatedAt: state === record.state ? record.updatedAt : now(),
      };
    });
    if (after?.state !== "drifted" || before?.state === "drifted") return;
    for (const listener of listeners) listener(after, first.identity);
  }

  return {
    async load(id, accountId) {
      const { extractors } = await store();
      const record = await extractors.load(accountId, id);
      if (record === undefined) throw createUnknownExtractorError();
      const { reason } = (record.health ?? NEW_HEALTH) as Health;
      const warning =
        record.state === "drifted"
          ? `The extractor ${JSON.stringify(record.name)} has drifted: ${reason ?? "its pages have changed"}. Learn it again with PATCH /v2/extractors/${id}.`
          : undefined;
      return { id, version: record.version, program: readProgram(record), warning };
    },

    record(program, run, identity) {
      if (identity === undefined) return;
      const waiting = pending.get(program.id);
      if (waiting !== undefined) {
        waiting.push({ program, run, identity });
        return;
      }
      pending.set(program.id, [{ program, run, identity }]);
      writing = writing
        .then(() => write(program.id))
        .catch((error: unknown) =>
          log.error(
            { err: error, extractor: program.id },
            "failed to store the health of an extractor",
          ),
        );
    },

    flush: () => writing,
    onDrift: (listener) => void listeners.push(listener),
  };
}
