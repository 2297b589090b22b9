import { constants } from "node:fs";
import { cp } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { Mutex, PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import type { Logger } from "../../logger.ts";
import { Checkpointer } from "./checkpointer.ts";
import { INT8, translateErrors } from "./database-errors.ts";
import { PreparedQueries } from "./prepared.ts";
import type { Database, Tables } from "./schema.ts";
import { TurnBudget } from "../../runtime/turn-budget.ts";
import { Vacuumer } from "./vacuumer.ts";

/** Half the memory and opening time of the defaults, which suit a server with many clients. */
const EMBEDDED_PARAMETERS = [
  "shared_buffers=16MB",
  "max_connections=4",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_wal_size=64MB",
  "min_wal_size=16MB",
  // ANALYZE reads 300 rows for each; it blocks the process.
  "default_statistics_target=10",
];

/**
 * Runs `open` with WebAssembly compiled by the baseline compiler only. Optimizing the huge
 * expression evaluator takes 600 MB and a second of CPU, and saves only 0.2 ms per page. Functions
 * first called later are optimized as usual.
 */
async function withoutOptimising<T>(open: () => Promise<T>): Promise<T> {
  const flags = ["wasm-dynamic-tiering", "wasm-tier-up"];
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  try {
    return await open();
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`);
  }
}

/** Opens the embedded database in `folder`, which no other process may have open. */
export async function openEmbedded(
  folder: string,
  log: Logger,
): Promise<Database & Required<Pick<Database, "copyTo">>> {
  const defaults = (PGlite as unknown as { defaultStartParams?: string[] }).defaultStartParams;
  const engine = await translateErrors(
    withoutOptimising(() =>
      PGlite.create({
        dataDir: folder,
        parsers: { [INT8]: Number },
        // Creation with the default of 128 MB for shared_buffers takes that much more memory.
        initDbStartParams: ["--wal-segsize=4", "-c", "shared_buffers=16MB"],
        ...(defaults === undefined
          ? {}
          : {
              startParams: [
                ...defaults,
                ...EMBEDDED_PARAMETERS.flatMap((parameter) => ["-c", parameter]),
              ],
            }),
      }),
    ),
  );
  const prepared = new PreparedQueries(engine);
  const budget = new TurnBudget();
  const checkpointer: Checkpointer = new Checkpointer((text) => query(text), log);
  const vacuumer: Vacuumer = new Vacuumer(
    (text) => query(text),
    log,
    () => checkpointer.look(),
  );
  const runPrepared = async (text: string, values: readonly unknown[] = []) => {
    await budget.yieldWhenSpent();
    checkpointer.count();
    vacuumer.count();
    return await prepared.query(text, values);
  };
  // The engine does not order statements sent through its protocol interface.
  const turns = new Mutex();
  const query = (text: string, values: readonly unknown[] = []) =>
    turns.runExclusive(async () => {
      if (engine.closed) throw new Error("the database is closed");
      return await runPrepared(text, values);
    });
  const kysely = new Kysely<Tables>({
    dialect: new PGliteDialect({
      pglite: {
        close: () => turns.runExclusive(() => engine.close()),
        get closed() {
          return engine.closed;
        },
        get ready() {
          return engine.ready;
        },
        get waitReady() {
          return engine.waitReady;
        },
        query: (text, values) => translateErrors(query(text, values)) as never,
        transaction: (callback) =>
          translateErrors(
            turns.runExclusive(() =>
              engine.transaction((transaction) =>
                callback({
                  query: (text, values) => translateErrors(runPrepared(text, values)) as never,
                  rollback: () => transaction.rollback(),
                }),
              ),
            ) as Promise<Awaited<ReturnType<typeof callback>>>,
          ),
      },
    }),
  });
  return {
    kysely,
    kind: "pglite",
    async copyTo(target) {
      await turns.runExclusive(async () => {
        await engine.exec("checkpoint");
        // A file system that can share blocks copies at once.
        await cp(folder, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
      });
    },
    async close() {
      await Promise.all([checkpointer.close(), vacuumer.close()]);
      await kysely.destroy();
      if (!engine.closed) await engine.close();
    },
  };
}
