// DELETE during a long step: this process stops the work at once, not when the run is polled next.
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentCalls } from "../../agent-runs.ts";
import { isRemote, startService, type Service } from "../../service.ts";

/** Never answers. */
let silent: Server;
let url: string;
let service: Service;
const { start, read } = agentCalls(() => service);

/** Less than the lease renewal, which would also end it. */
const AT_ONCE_MS = 3_000;

beforeAll(async () => {
  silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

it.skipIf(isRemote).each([
  ["a page is waited for", {}],
  ["a model is waited for", { model: "openai-compatible/silent" }],
])(
  "cancelling a run stops its work at once while %s",
  { timeout: 60_000 },
  async (_name, model) => {
    service = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      ...("model" in model ? { ...model, modelBaseUrl: `${url}/v1` } : {}),
    });
    try {
      const asked = once(silent, "request") as Promise<[unknown, ServerResponse]>;
      const id = await start({ prompt: "upload limit", urls: [`${url}/`] });
      const [, response] = await asked;
      const gaveUp = once(response, "close");
      const from = performance.now();
      expect((await service.ask(`/v2/agent/${id}`, { method: "DELETE" })).status).toBe(200);
      await gaveUp;
      expect(performance.now() - from).toBeLessThan(AT_ONCE_MS);
      expect(await read(id)).toMatchObject({ status: "failed", stopReason: "cancelled" });
    } finally {
      await service.close();
    }
  },
);
