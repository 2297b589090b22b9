import { Kysely, PostgresDialect } from "kysely";
import postgres, { type PoolClient } from "pg";
import { LimitError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import { INT8, translateErrors } from "./database-errors.ts";
import type { Database, Tables } from "./schema.ts";

/** Opens a pool of at most `connections` to the PostgreSQL at `url`; connects on first use. */
export function openPostgres(url: string, connections: number, log: Logger): Database {
  const pool = new postgres.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    // Detects a server that vanished without closing its connections between queries too.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "quarry",
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === INT8 && format !== "binary"
          ? Number
          : postgres.types.getTypeParser(
              oid,
              format as "text",
            )) as typeof postgres.types.getTypeParser,
    },
  });
  // The pool listens on idle connections only. A connection that breaks between two queries of a
  // transaction would emit an unhandled error and end the process; the next query on it rejects.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ error: error.message }, "database connection lost")),
  );
  pool.on("error", () => undefined);
  const wrap = (client: PoolClient) => {
    let isBroken = false;
    return {
      release: (destroy?: boolean) => client.release(isBroken || destroy),
      query: async (text: string, parameters: readonly unknown[]) => {
        try {
          return await translateErrors(client.query(text, [...parameters]));
        } catch (error) {
          // After a timeout the connection may still be busy, so it is not reused.
          isBroken ||= error instanceof LimitError;
          throw error;
        }
      },
    };
  };
  const wrapped = new WeakMap<PoolClient, ReturnType<typeof wrap>>();
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        end: () => pool.end(),
        async connect() {
          const client = await translateErrors(pool.connect());
          // One wrapper per connection, because Kysely identifies a connection by its object.
          const known = wrapped.get(client) ?? wrap(client);
          wrapped.set(client, known);
          return known as never;
        },
      },
    }),
  });
  return {
    kysely,
    kind: "postgres",
    async close() {
      await kysely.destroy();
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}
