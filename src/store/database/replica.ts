// A read replica of PostgreSQL (QUARRY_DATABASE_REPLICA) for rows that never change after they were written.
import type { RawBuilder } from "kysely";
import type { Config } from "../../config.ts";
import type { Logger } from "../../logger.ts";

/** How long the replica is left alone after a failure. */
const PAUSE_MS = 30_000;

export type Replica = {
  /** Returns the rows that the replica has by now; none while it does not answer. */
  query<Row>(query: RawBuilder<Row>): Promise<readonly Row[]>;
  close(): Promise<void>;
};

/** Opens the replica of the settings; connects on first use. The caller closes it. */
export async function openReplica(config: Config, log: Logger): Promise<Replica | undefined> {
  if (config.databaseReplica === undefined) return undefined;
  const { openPostgres } = await import("./postgres.ts");
  const database = openPostgres(config.databaseReplica.reveal(), config.databasePool, log);
  let pausedUntil = 0;
  return {
    async query(query) {
      if (Date.now() < pausedUntil) return [];
      try {
        return (await query.execute(database.kysely)).rows;
      } catch (error) {
        pausedUntil = Date.now() + PAUSE_MS;
        const message = error instanceof Error ? error.message : String(error);
        log.warn(
          { error: message },
          `the read replica failed: results come from the primary for ${PAUSE_MS / 1_000} s`,
        );
        return [];
      }
    },
    close: () => database.close(),
  };
}
