import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { expect, it } from "vitest";
import { createBlobFolder } from "../blobs/blob-folder.ts";
import type { Tables } from "./schema.ts";
import { createSeals } from "./seals.ts";

/** A database whose jobs have no key, and that counts its queries. */
function createCountingDatabase() {
  const counted = { queries: 0 };
  class CountingDriver extends DummyDriver {
    override async acquireConnection() {
      return {
        async executeQuery<Row>() {
          counted.queries += 1;
          return { rows: [{ seal_ref: null } as Row] };
        },
        async *streamQuery() {},
      };
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
  return { kysely, counted };
}

it("looks up the key of a job once for all pages that are finished together", async () => {
  const { kysely, counted } = createCountingDatabase();
  const seals = createSeals(kysely, createBlobFolder("/nowhere"));
  const document = Buffer.from("{}");
  const keep = (job: string) => Array.from({ length: 20 }, () => seals.keep(job, document));
  const kept = await Promise.all([...keep("one"), ...keep("two")]);
  expect(kept.every(({ sealed }) => !sealed)).toBe(true);
  expect(counted.queries).toBe(2);
  await seals.keep("one", document);
  expect(counted.queries).toBe(2);
});
