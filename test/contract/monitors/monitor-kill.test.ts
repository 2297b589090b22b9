// kill -9 of the server at random moments of checks and deliveries: every edit is notified, with one
// id. `QUARRY_TEST_KILLS=100` runs more of them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Monitor, MonitorCheck } from "../../../src/contract/jobs/monitor-report.ts";
import { serve, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const KILLS = Number(process.env["QUARRY_TEST_KILLS"] ?? 5);
const MAX_LIFE_MS = 1_200;
const ANSWER_DELAY_MS = 60;

/** A linear congruential generator (Numerical Recipes), so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function ask<T>(server: ServingProcess, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { readonly data: T }).data;
}

it.skipIf(isRemote)(
  "notifies each edit once through kill -9 at random moments",
  { timeout: 120_000 + KILLS * 40_000 },
  async () => {
    let edit = 0;
    const { base } = await openSite((_request, response) => {
      const body = `<title>Pier</title><main><h1>Pier</h1><p>${"The pier is open all year. ".repeat(9)}</p><p>Notice: ferry ${"abcdefghijklmnopqrstuvwxyz".charAt(edit % 26)}${edit} leaves from the north side.</p></main>`;
      response.writeHead(200, { "content-type": "text/html" });
      setTimeout(() => response.end(body), ANSWER_DELAY_MS);
    });
    /** Notification ids by the edit that they report. */
    const received = new Map<number, string[]>();
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const { data } = JSON.parse(text) as { data: { pages: { added: string[] }[] }[] };
        const number = Number(/ferry [a-z](\d+)/.exec(data[0]?.pages[0]?.added[0] ?? "")?.[1]);
        const ids = received.get(number) ?? [];
        received.set(number, [...ids, String(request.headers["x-quarry-event-id"])]);
        setTimeout(() => response.end("ok"), ANSWER_DELAY_MS);
      });
    });
    await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
    const folder = await createDataFolder();
    const environment = {
      QUARRY_DATA_DIR: folder,
      QUARRY_EGRESS_ALLOW: "127.0.0.1",
      QUARRY_AUTH: "false",
    };
    const random = createRandom(20_261_125);
    let server = await serve(environment);
    const read = async (id: string): Promise<MonitorCheck[]> =>
      await ask(server, "GET", `/v2/monitor/${id}/checks?limit=100`);
    const isOver = async (id: string): Promise<boolean> =>
      (await read(id)).every(({ status }) => status !== "queued" && status !== "running");
    const waits = { timeout: 60_000, interval: 100 };
    try {
      const { id } = await ask<Monitor>(server, "POST", "/v2/monitor", {
        name: "pier",
        schedule: { cron: "0 0 1 1 *" },
        targets: [{ type: "scrape", urls: [`${base}/`] }],
        detection: { confirmations: 1, confirmAfterSeconds: 0 },
        channels: [
          {
            type: "webhook",
            url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
            maxPerHour: 1_000,
          },
        ],
      });
      await ask(server, "POST", `/v2/monitor/${id}/run`, {});
      await expect.poll(() => isOver(id), waits).toBe(true);
      for (let kill = 0; kill < KILLS; kill++) {
        edit += 1;
        await ask(server, "POST", `/v2/monitor/${id}/run`, {});
        await sleep(random() * MAX_LIFE_MS);
        await server.stop("SIGKILL");
        server = await serve(environment);
        await expect.poll(() => isOver(id), waits).toBe(true);
      }
      const edits = Array.from({ length: KILLS }, (_, index) => index + 1);
      await expect.poll(() => edits.filter((number) => !received.has(number)), waits).toEqual([]);
      expect([...received.keys()].toSorted((one, other) => one - other)).toEqual(edits);
      // An attempt that was killed before its answer is repeated with the same id.
      for (const [number, ids] of received)
        expect(new Set(ids).size, `edit ${number}: ${ids.join()}`).toBe(1);
      const log = await ask<{ state: string }[]>(
        server,
        "GET",
        `/v2/monitor/${id}/deliveries?limit=100`,
      );
      expect(log).toHaveLength(KILLS);
      expect(await read(id)).toHaveLength(KILLS + 1);
    } finally {
      await server.stop("SIGKILL");
      receiver.close();
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
