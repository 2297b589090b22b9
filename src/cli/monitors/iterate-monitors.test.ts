import { expect, it } from "vitest";
import type { Monitor } from "../../../client/wire.ts";
import { iterateMonitors } from "./iterate-monitors.ts";

const ALL = Array.from({ length: 230 }, (_, at) => ({ id: `monitor-${at}` }) as Monitor);

type Query = { readonly limit?: number; readonly offset?: number; readonly cursor?: string };

const collect = async (findStart: (query: Query) => number) => {
  const found: Monitor[] = [];
  let calls = 0;
  const list = async (query: Query = {}): Promise<Monitor[]> => {
    calls += 1;
    if (calls > 10) throw new Error("The list is read without end.");
    const start = findStart(query);
    return ALL.slice(start, start + (query.limit ?? 25));
  };
  for await (const monitor of iterateMonitors({ list })) found.push(monitor);
  return { found, calls };
};

it("reads all pages by cursor", async () => {
  const { found, calls } = await collect(
    ({ cursor }) => ALL.findIndex(({ id }) => id === cursor) + 1,
  );
  expect(found).toEqual(ALL);
  expect(calls).toBe(3);
});

it("reads all pages by offset from a server that ignores the cursor", async () => {
  expect((await collect(({ offset = 0 }) => offset)).found).toEqual(ALL);
});

it("ends after the first page of a server that ignores cursor and offset", async () => {
  expect((await collect(() => 0)).found).toEqual(ALL.slice(0, 100));
});
