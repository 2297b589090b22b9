import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { createMetrics } from "../metrics.ts";
import { measureAcceptDelay } from "./accept-delay.ts";

const BUSY_MS = 300;

it("measures the accept delay including time when the event loop is busy", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const metrics = createMetrics();
  const end = measureAcceptDelay(server, metrics, 10);
  const sum = async (): Promise<{ count: number; seconds: number }> => {
    const { values } = await metrics.acceptSeconds.get();
    const of = (name: string): number =>
      values.find(({ metricName }) => metricName?.endsWith(name) === true)?.value ?? 0;
    return { count: of("_count"), seconds: of("_sum") };
  };
  try {
    await expect.poll(async () => (await sum()).count).toBeGreaterThan(0);
    // Long turns in a row: some connection waits for a whole turn.
    const busy = setInterval(() => {
      const until = performance.now() + BUSY_MS;
      while (performance.now() < until);
    }, 1);
    try {
      await expect
        .poll(async () => (await sum()).seconds, { timeout: 20_000 })
        .toBeGreaterThan((BUSY_MS / 1_000) * 0.8);
    } finally {
      clearInterval(busy);
    }
  } finally {
    end();
    server.close();
    await once(server, "close");
  }
});
