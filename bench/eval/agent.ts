// A set of tasks over sites of our own, done by the model that is configured (QUARRY_MODEL), or by rules without one:
//   QUARRY_MODEL=ollama/NAME npm run eval:agent -- [--effort medium] [--task staff]
// Prints for each task whether it succeeded, how many steps it took, what it cost.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { QuarryClient } from "../../client/client.ts";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import {
  docsSite,
  orderingSite,
  PEOPLE,
  PRODUCTS,
  shop,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  type PageSite,
} from "../../test/site/agent-sites.ts";

type Task = {
  readonly name: string;
  readonly site: () => Promise<PageSite>;
  readonly prompt: string;
  readonly schema: object;
  /** Share of what is right, 0 to 1. */
  readonly score: (data: unknown) => number;
};

const object = (properties: object): object => ({ type: "object", properties });
const text = { type: "string" };
const share = (found: readonly unknown[], wanted: readonly unknown[]): number => {
  const right = wanted.filter((one) => found.includes(one)).length;
  return right / Math.max(wanted.length, found.length, 1);
};
const listOf = (data: unknown, name: string): Record<string, unknown>[] =>
  ((data as Record<string, unknown> | undefined)?.[name] ?? []) as Record<string, unknown>[];
const isSaid = (data: unknown, name: string, words: RegExp): number =>
  words.test(String((data as Record<string, unknown> | undefined)?.[name])) ? 1 : 0;

await using canary = await startPages({});

const TASKS: readonly Task[] = [
  {
    name: "staff",
    site: () => startPages(staffDirectory()),
    prompt: "All members of staff with title, e-mail, phone and department",
    schema: STAFF_SCHEMA,
    score: (data) =>
      share(
        listOf(data, "staff").map(
          (person) => `${String(person["email"])} ${String(person["phone"])}`,
        ),
        PEOPLE.map(({ email, phone }) => `${email} ${phone}`),
      ),
  },
  {
    name: "shop",
    site: () => startPages(shop()),
    prompt: "All lanterns with their price and SKU",
    schema: object({
      products: {
        type: "array",
        items: object({ name: text, price: { type: "number" }, sku: text }),
      },
    }),
    score: (data) =>
      share(
        listOf(data, "products").map(({ sku, price }) => `${String(sku)} ${Number(price)}`),
        PRODUCTS.map(({ sku, price }) => `${sku} ${price}`),
      ),
  },
  {
    name: "limit",
    site: () => startPages(docsSite()),
    prompt: "What is the upload limit of the plan called Team?",
    schema: object({ uploadLimit: text }),
    score: (data) => isSaid(data, "uploadLimit", /\b2\s?GB\b/),
  },
  {
    name: "long page",
    site: () => startPages(docsSite()),
    prompt: "What is the maximum wingspan of the heron?",
    schema: object({ wingspan: text }),
    score: (data) => isSaid(data, "wingspan", /1\.95/),
  },
  {
    name: "orders",
    site: () => startPages(orderingSite(canary.url)),
    prompt: "What does the teapot cost?",
    schema: object({ price: text }),
    score: (data) => (canary.asked.length > 0 ? 0 : isSaid(data, "price", /34[.,]90/)),
  },
];

const { values } = parseArgs({
  options: { effort: { type: "string", default: "medium" }, task: { type: "string" } },
});
const dataDir = await mkdtemp(path.join(os.tmpdir(), "quarry-eval-"));
const config = {
  ...loadConfig({ dataDir }),
  host: "127.0.0.1",
  port: 0,
  auth: false,
  egressAllow: ["127.0.0.1"],
};
const app = await createApp(config, { log: createLogger("error") });
const scores: number[] = [];
try {
  const client = new QuarryClient({ apiUrl: await app.listen() });
  await app.open();
  console.log(`model: ${config.model ?? "none, by rules"}`);
  for (const task of TASKS)
    if (values.task === undefined || values.task === task.name) await perform(client, task);
} finally {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}
const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
console.log(
  `${scores.filter((score) => score === 1).length} of ${scores.length} tasks, mean ${mean.toFixed(2)}`,
);
process.exitCode = scores.length === 0 ? 1 : 0;

async function perform(client: QuarryClient, task: Task): Promise<void> {
  await using site = await task.site();
  const from = performance.now();
  const run = await client.agents.start(task.prompt, {
    urls: [site.url],
    schema: task.schema as Record<string, unknown>,
    model: "spark-1-pro",
    effort: values.effort as "medium",
  });
  const state = await run.wait();
  const events = await run.trace();
  const steps = events.filter(({ type }) => type === "tool_call.started").length;
  const score = task.score(state.data ?? state.partial);
  scores.push(score);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  console.log(
    `${task.name}: ${score.toFixed(2)} ${state.status}, ${steps} steps, ${state.creditsUsed} credits, ${String(state["tokensUsed"])} tokens, ${seconds} s`,
  );
}
