// The goal of a monitor, judged by a model over the wire: what it is shown, quotes that are checked
// against the diff, and failures that let the change through.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Monitor,
  MonitorCheck,
  MonitorPage,
} from "../../../src/contract/jobs/monitor-report.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startModelServer, type ModelServer, type ScriptedAnswer } from "../../model-server.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let base: string;
let service: Service;
let model: ModelServer;
let price = 25;
let answer: ScriptedAnswer = { status: 500 };

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p><p>Berth: ${price} EUR</p></main>`,
    );
  }));
  model = await startModelServer({ turns: () => answer });
  service = await startService(undefined, {
    egressAllow: [new URL(base).host],
    browser: "none",
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await model.close();
  await closeAll();
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const reply = await service.ask(path, { method, ...(body !== undefined && { body }) });
  expect(reply.status, reply.text).toBe(200);
  return (reply.body as unknown as { data: T }).data;
}

async function check(id: string, next: number): Promise<MonitorPage | undefined> {
  price = next;
  const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  const read = () =>
    ask<MonitorCheck & { pages: MonitorPage[] }>("GET", `/v2/monitor/${id}/checks/${started.id}`);
  await expect
    .poll(async () => (await read()).status, { timeout: 60_000 })
    .not.toMatch(/queued|running/);
  return (await read()).pages[0];
}

const create = async (fields: object = {}): Promise<string> =>
  (
    await ask<Monitor>("POST", "/v2/monitor", {
      name: "berths",
      schedule: { text: "daily" },
      targets: [{ type: "scrape", urls: [`${base}/berths`] }],
      detection: { confirmations: 0, ignoreNoise: false },
      goal: "A berth gets cheaper",
      ...fields,
    })
  ).id;

describe.skipIf(isRemote)("goal judged by a model", () => {
  it("shows the goal and the diff, keeps quotes of the diff and drops invented ones", async () => {
    const id = await create();
    await check(id, 25);
    const before = model.requests.length;
    answer = {
      json: {
        meaningful: true,
        confidence: "high",
        reason: "The berth costs less.",
        changes: [
          { type: "changed", before: "Berth: 25 EUR", after: "Berth: 20 EUR", reason: "price" },
          { type: "added", before: null, after: "Free electricity", reason: "invented" },
        ],
      },
    };
    const page = await check(id, 20);
    expect(page).toMatchObject({
      status: "changed",
      event: "change",
      judgment: {
        meaningful: true,
        confidence: "high",
        reason: "The berth costs less.",
        meaningfulChanges: [
          { type: "changed", before: "Berth: 25 EUR", after: "Berth: 20 EUR", reason: "price" },
        ],
      },
    });
    expect(model.requests.length).toBe(before + 1);
    const shown =
      model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n") ?? "";
    for (const text of ["A berth gets cheaper", "-Berth: 25 EUR", "+Berth: 20 EUR"])
      expect(shown).toContain(text);
  });

  it("notifies of no change that the model rejects, and records the judgment", async () => {
    const id = await create();
    await check(id, 25);
    answer = {
      json: { meaningful: false, confidence: "medium", reason: "It got dearer.", changes: [] },
    };
    expect(await check(id, 30)).toMatchObject({
      status: "changed",
      event: null,
      judgment: { meaningful: false, confidence: "medium", reason: "It got dearer." },
    });
  });

  it.each<[string, ScriptedAnswer]>([
    ["answers 401", { status: 401, error: "wrong key" }],
    ["sends no verdict", { json: { reason: "I do not know." } }],
    ["sends no JSON", { text: "Certainly! The price fell." }],
  ])("notifies and says that the goal was not judged when the model %s", async (_name, given) => {
    const id = await create();
    await check(id, 25);
    answer = given;
    const page = await check(id, 20);
    expect(page).toMatchObject({
      status: "changed",
      event: "change",
      judgment: { meaningful: true, confidence: "low" },
    });
    expect(page?.judgment?.reason).toMatch(/^The goal was not judged, so the change counts: ./);
  });

  it("asks no model for a change that `when` rejects, or with judgeEnabled false", async () => {
    const when = { conditions: [{ type: "textAppears", text: "sold out" }] };
    answer = { status: 500 };
    for (const fields of [{ when }, { judgeEnabled: false }]) {
      const id = await create(fields);
      await check(id, 25);
      const before = model.requests.length;
      expect(await check(id, 20)).toMatchObject({ status: "changed" });
      expect(model.requests.length).toBe(before);
    }
  });
});
