// Tested against a database that only counts: grouping, outages and rejected rows.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { describe, expect, it } from "vitest";
import { InternalError, LimitError } from "../../errors.ts";
import { createLogger } from "../../logger.ts";
import { GroupWriter, type GroupWriterOptions } from "./group-writer.ts";
import type { Tables } from "./schema.ts";

type Row = { id: string };

function setUp(options: GroupWriterOptions = {}) {
  const statements: string[][] = [];
  let fault: ((rows: string[]) => Error | undefined) | undefined;
  class CountingDriver extends DummyDriver {
    override async acquireConnection() {
      const connection = await super.acquireConnection();
      connection.executeQuery = async (query) => {
        const rows = query.parameters.flatMap((parameter) =>
          (JSON.parse(String(parameter)) as Row[]).map(({ id }) => id),
        );
        const error = fault?.(rows);
        if (error !== undefined) throw error;
        statements.push(rows);
        return { rows: [] };
      };
      return connection;
    }
  }
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new CountingDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const writer = new GroupWriter(kysely, createLogger("silent"), {
    maxDelayMs: 60_000,
    retryMs: 60_000,
    ...options,
  });
  return {
    writer,
    statements,
    fail: (next: typeof fault) => (fault = next),
    table: (name = "scrapes") => writer.registerTable<Row>(name, { id: "uuid" }),
  };
}

describe("group writer", () => {
  it("commits the rows of all tables in one statement in order", async () => {
    const { writer, statements, table } = setUp();
    const [first, second] = [table("scrapes"), table("activity")];
    second.enqueue({ id: "b1" });
    first.enqueue({ id: "a1" });
    first.enqueue({ id: "a2" });
    expect(statements).toEqual([]);
    await writer.flush();
    expect(statements).toEqual([["a1", "a2", "b1"]]);
  });

  it("commits when enough rows wait", async () => {
    const { writer, statements, table } = setUp({ maxRows: 3 });
    const queue = table();
    for (const id of ["1", "2", "3"]) queue.enqueue({ id });
    queue.enqueue({ id: "4" });
    await writer.flush();
    expect(statements).toEqual([["1", "2", "3"], ["4"]]);
  });

  it("commits rows after a delay", async () => {
    const { statements, table } = setUp({ maxDelayMs: 1 });
    table().enqueue({ id: "1" });
    await expect.poll(() => statements).toEqual([["1"]]);
  });

  it("shows rows to readers before they are committed", async () => {
    const { writer, table } = setUp();
    const queue = table();
    queue.enqueue({ id: "1" });
    const flushed = writer.flush();
    queue.enqueue({ id: "2" });
    expect(queue.pending().map(({ id }) => id)).toEqual(["1", "2"]);
    await flushed;
    expect(queue.pending().map(({ id }) => id)).toEqual(["2"]);
  });

  it("flush settles after all earlier rows are committed, also during another flush", async () => {
    const { writer, statements, table } = setUp();
    const queue = table();
    queue.enqueue({ id: "1" });
    void writer.flush();
    queue.enqueue({ id: "2" });
    await writer.flush();
    expect(statements.flat()).toEqual(["1", "2"]);
  });

  it("keeps rows in order during a database outage, up to a limit", async () => {
    const { writer, statements, table, fail } = setUp({ maxWaiting: 3 });
    const queue = table();
    fail(() => new LimitError("UNAVAILABLE", "down"));
    queue.enqueue({ id: "1" });
    await writer.flush();
    queue.enqueue({ id: "2" });
    queue.enqueue({ id: "3" });
    await writer.flush();
    expect(() => queue.enqueue({ id: "4" })).toThrow(LimitError);
    expect(queue.pending().map(({ id }) => id)).toEqual(["1", "2", "3"]);
    fail(undefined);
    await writer.flush();
    expect(statements).toEqual([["1", "2", "3"]]);
    expect(queue.pending()).toEqual([]);
  });

  it("drops only the row that the database rejects", async () => {
    const { writer, statements, table, fail } = setUp();
    const queue = table();
    fail((rows) => (rows.includes("bad") ? new InternalError("refused") : undefined));
    for (const id of ["1", "bad", "2"]) queue.enqueue({ id });
    await writer.flush();
    expect(statements).toEqual([["1"], ["2"]]);
    expect(queue.pending()).toEqual([]);
  });

  it("commits the remaining rows when it closes", async () => {
    const { writer, statements, table } = setUp();
    table().enqueue({ id: "1" });
    await writer.close();
    expect(statements).toEqual([["1"]]);
  });
});
