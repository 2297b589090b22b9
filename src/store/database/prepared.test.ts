import { rm } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDataFolder } from "../../../test/data-folder.ts";
import { PreparedQueries } from "./prepared.ts";

let folder: string;
let engine: PGlite;
let prepared: PreparedQueries;

beforeAll(async () => {
  folder = await createDataFolder();
  engine = await PGlite.create({ dataDir: path.join(folder, "database") });
  await engine.exec(
    "create table things (id bigint primary key, name text, raw bytea, more jsonb)",
  );
}, 60_000);

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await engine.exec("truncate things");
  await engine.exec("deallocate all");
  prepared = new PreparedQueries(engine);
});

const names = async (): Promise<unknown[]> =>
  (await engine.query<{ name: string }>("select name from pg_prepared_statements")).rows;

test("prepared statements return values of every type like the engine itself", async () => {
  const values = [
    "int8",
    7,
    "ä € 𝄞 'quoted' \\",
    null,
    true,
    new Uint8Array([0, 255, 10]),
    JSON.stringify({ a: [1, "ü"] }),
    "{1,2,3}",
    undefined,
  ];
  const text = `select $1::text as kind, $2::bigint as big, $3::text as words, $4::text as nothing, $5::boolean as truth,
    $6::bytea as bytes, $7::jsonb as json, $8::bigint[] as list, $9::integer as missing, 1.5::float8 as float`;
  const { rows } = await engine.query(text, values);
  for (let use = 0; use < 3; use++) expect((await prepared.query(text, values)).rows).toEqual(rows);
});

test("affected rows are reported for changes and not for reads", async () => {
  const insert =
    "insert into things (id, name) select $1::bigint + n, $2 from generate_series(1, 3) n";
  expect(await prepared.query(insert, [0, "one"])).toEqual({ rows: [], affectedRows: 3 });
  expect(await prepared.query(insert, [10, "two"])).toMatchObject({ affectedRows: 3 });
  expect(await prepared.query("select count(*)::integer as count from things")).toEqual({
    rows: [{ count: 6 }],
    affectedRows: 0,
  });
  const update = "update things set name = $1 where id > $2 returning id::integer as id";
  expect(await prepared.query(update, ["x", 12])).toEqual({ rows: [{ id: 13 }], affectedRows: 1 });
  expect(await prepared.query("delete from things")).toMatchObject({ affectedRows: 6 });
});

const insertOf = (columns: string): string =>
  `insert into things (${columns}) select ${columns} from json_to_recordset($1::json) as given (id bigint, name text)`;

test("a statement that only inserts is prepared on its second use and cached once", async () => {
  const text = insertOf("id, name");
  await prepared.query(text, ['[{"id":1,"name":"a"}]']);
  expect(await names()).toEqual([]);
  for (let id = 2; id < 9; id++)
    expect(await prepared.query(text, [`[{"id":${id},"name":"${id}"}]`])).toMatchObject({
      affectedRows: 1,
    });
  expect(await names()).toHaveLength(1);
  expect((await prepared.query("select max(id)::integer as max from things")).rows).toEqual([
    { max: 8 },
  ]);
});

test("plans of statements that search or update rows are not cached", async () => {
  const texts = [
    "select name from things where id = $1",
    "update things set name = name || 'x' where id = $1",
    "with gone as (delete from things where id = $1 returning id) select count(*) from gone",
    "insert into things (id) select id + 1000 from things where id = $1",
    `${insertOf("id")} where not exists (select 1 from things where id = 5) and $2::bigint > 0`,
  ];
  for (const text of texts)
    for (let use = 0; use < 3; use++)
      await prepared.query(text, text.includes("$2") ? ["[]", 1] : [use]);
  expect(await names()).toEqual([]);
});

test("the number of cached statements is limited", async () => {
  for (let number = 0; number < 130; number++)
    for (let use = 0; use < 3; use++)
      await prepared.query(`${insertOf("id")} on conflict do nothing -- ${number}`, ['[{"id":1}]']);
  expect((await names()).length).toBeLessThanOrEqual(101);
  expect((await prepared.query("select 3 as number")).rows).toEqual([{ number: 3 }]);
});

test("a rejected prepared statement is prepared again", async () => {
  const text = insertOf("id");
  const row = (id: number): string[] => [`[{"id":${id}}]`];
  await prepared.query(text, row(1));
  for (let use = 0; use < 5; use++)
    await expect(prepared.query(text, row(1))).rejects.toMatchObject({ code: "23505" });
  for (let id = 2; id < 5; id++) await prepared.query(text, row(id));
  expect(await names()).toHaveLength(1);
});

test("a rejected statement throws with its code and leaves the connection usable", async () => {
  const insert = "insert into things (id) values ($1)";
  await prepared.query(insert, [1]);
  for (let use = 0; use < 3; use++)
    await expect(prepared.query(insert, [1])).rejects.toMatchObject({ code: "23505" });
  await expect(prepared.query("select nonsense")).rejects.toMatchObject({ code: "42703" });
  await expect(prepared.query("select $1::integer as number", ["x"])).rejects.toMatchObject({
    code: "22P02",
  });
  expect(await prepared.query(insert, [2])).toMatchObject({ affectedRows: 1 });
});

test("a statement prepared in a failed transaction stays usable", async () => {
  const text = "select count(*)::integer as count from things where id = $1";
  await engine
    .transaction(async () => {
      await prepared.query(text, [1]);
      await prepared.query(text, [1]);
      await prepared.query("select 1 / 0");
    })
    .catch(() => undefined);
  expect((await prepared.query(text, [1])).rows).toEqual([{ count: 0 }]);
});

test("a query on an altered table returns its new columns", async () => {
  const text = "select * from things where id = $1";
  await prepared.query("insert into things (id) values (1)");
  for (let use = 0; use < 7; use++) await prepared.query(text, [1]);
  await prepared.query("alter table things add column later text default 'new'");
  expect((await prepared.query(text, [1])).rows).toMatchObject([{ later: "new" }]);
  await prepared.query("alter table things drop column later");
});
