import { Kysely, PostgresDialect } from "kysely";
import postgres, { type PoolClient } from "pg";
import type { Logger } from "../log.ts";
import { INT8, translated } from "./database-errors.ts";
import type { Database, Tables } from "./schema.ts";
import { transactOn } from "./transact.ts";

/** A pool of at most `connections` to the PostgreSQL at `url`; connects on first use. */
export function openPostgres(url: string, connections: number, log: Logger): Database {
  const pool = new postgres.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
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
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ error: error.message }, "database connection lost"));
  const wrap = (client: PoolClient) => ({
    release: (destroy?: boolean) => client.release(destroy),
    query: (text: string, parameters: readonly unknown[]) =>
      translated(client.query(text, [...parameters])),
  });
  const wrapped = new WeakMap<PoolClient, ReturnType<typeof wrap>>();
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        end: () => pool.end(),
        async connect() {
          const client = await translated(pool.connect());
          // One wrapper per connection: Kysely knows a connection again by its object.
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
    transact: transactOn(kysely),
    async run(text, values) {
      const results: unknown = await (values === undefined
        ? pool.query(text)
        : pool.query(text, [...values]));
      // Several statements give several results.
      const all = (Array.isArray(results) ? results : [results]) as { rows?: unknown[] }[];
      return { rows: all.flatMap(({ rows }) => rows ?? []) };
    },
    async close() {
      await kysely.destroy();
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}
