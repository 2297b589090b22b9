// The load over time as the operator reads it, across restarts of the server.
import { rm } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import type { LoadHistory } from "../../../client/wire.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const readHistory = async (service: Service, query = ""): Promise<LoadHistory> => {
  const { body, status } = await service.admin("GET", `/admin/history${query}`);
  expect(status).toBe(200);
  return body.data as unknown as LoadHistory;
};

const findProcess = async (service: Service) => {
  const { port } = new URL(service.url);
  return (await readHistory(service)).processes.find(({ name }) => name.endsWith(`:${port}`));
};

it.skipIf(isRemote)("keeps the samples of the load across restarts", async () => {
  const dataDir = await createDataFolder();
  folders.push(dataDir);
  const from = Date.now() - 60_000;
  for (let start = 1; start <= 3; start += 1) {
    const service = await startService(undefined, { dataDir });
    try {
      // The first sample is taken behind the start.
      await expect.poll(() => findProcess(service)).toMatchObject({ role: "all" });
      const { processes, service: shared, stepMs } = await readHistory(service, `?from=${from}`);
      expect(stepMs).toBe(60_000);
      // Each start listens on a port of its own here, so it has another name.
      expect(processes).toHaveLength(start);
      for (const { samples } of processes) {
        expect(samples).toHaveLength(1);
        expect(samples[0]?.memoryBytes).toBeGreaterThan(10_000_000);
      }
      expect(shared[0]).toMatchObject({ crawlQueueAgeMs: 0, batchQueueAgeMs: 0, blobBytes: null });
      expect(shared[0]?.databaseBytes).toBeGreaterThan(100_000);
    } finally {
      await service.stop();
    }
  }
});

it.skipIf(isRemote)("names the fault of a wrong range, and needs the scope admin", async () => {
  await using service = await startClosing();
  const ask = async (query: string) => {
    const { status, body } = await service.admin("GET", `/admin/history?${query}`);
    return [status, body.code, body.error, body.details?.[0]?.message];
  };
  expect(await ask("from=yesterday")).toEqual([
    400,
    "BAD_REQUEST",
    expect.any(String),
    "from must be a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970",
  ]);
  expect(await ask("from=2026-02-02&to=2026-02-01")).toMatchObject([
    400,
    "BAD_REQUEST",
    "from (2026-02-02T00:00:00.000Z) must be before to (2026-02-01T00:00:00.000Z).",
    undefined,
  ]);
  expect((await service.ask("/admin/history")).status).toBe(403);
  const { admin } = service.client;
  await expect(admin.history()).rejects.toThrow("admin");
  // A range without samples is no error.
  expect(await readHistory(service, "?from=2001-01-01&to=2001-01-02")).toMatchObject({
    from: Date.UTC(2001, 0, 1),
    stepMs: 900_000,
    processes: [],
    service: [],
  });
});

async function startClosing(): Promise<Service & AsyncDisposable> {
  const service = await startService(undefined);
  return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
