// Runs tasks over local sites with the configured model (QUARRY_MODEL), or by rules without one:
// QUARRY_MODEL=ollama/NAME npm run eval:agent -- [--effort medium] [--task staff] [--show] Prints
// success, steps and cost of each task.
import { runOnServer } from "./run-on-server.ts";
import process from "node:process";
import { parseArgs } from "node:util";
import type { QuarryClient } from "../../client/client.ts";
import {
  docsSite,
  formSite,
  INSTITUTE_SCHEMA,
  INSTITUTES,
  orderingSite,
  PEOPLE,
  PRODUCTS,
  shop,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  universitySite,
  type PageSite,
} from "../../test/site/agent-sites.ts";

type Task = {
  readonly name: string;
  readonly site: () => Promise<PageSite>;
  readonly prompt: string;
  readonly schema?: object;
  /** Replaces the site's first page. */
  readonly start?: string;
  /** Share of correct values, 0 to 1. */
  readonly score: (data: unknown) => number;
};

const object = (properties: object): object => ({ type: "object", properties });
const text = { type: "string" };
const computeShare = (found: readonly unknown[], wanted: readonly unknown[]): number => {
  const right = wanted.filter((one) => found.includes(one)).length;
  return right / Math.max(wanted.length, found.length, 1);
};
const readList = (data: unknown, name: string): Record<string, unknown>[] =>
  ((data as Record<string, unknown> | undefined)?.[name] ?? []) as Record<string, unknown>[];
const scoreStatement = (data: unknown, name: string, words: RegExp): number =>
  words.test(String((data as Record<string, unknown> | undefined)?.[name])) ? 1 : 0;

await using canary = await startPages({});

const TASKS: readonly Task[] = [
  {
    name: "staff",
    site: () => startPages(staffDirectory()),
    prompt: "All members of staff with title, e-mail, phone and department",
    schema: STAFF_SCHEMA,
    score: (data) =>
      computeShare(
        readList(data, "staff").map(
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
      computeShare(
        readList(data, "products").map(({ sku, price }) => `${String(sku)} ${Number(price)}`),
        PRODUCTS.map(({ sku, price }) => `${sku} ${price}`),
      ),
  },
  {
    name: "limit",
    site: () => startPages(docsSite()),
    prompt: "What is the upload limit of the plan called Team?",
    schema: object({ uploadLimit: text }),
    score: (data) => scoreStatement(data, "uploadLimit", /\b2\s?GB\b/),
  },
  {
    name: "long page",
    site: () => startPages(docsSite()),
    prompt: "What is the maximum wingspan of the heron?",
    schema: object({ wingspan: text }),
    score: (data) => scoreStatement(data, "wingspan", /1\.95/),
  },
  {
    name: "requests",
    site: () => startPages(docsSite()),
    prompt: "How many requests a minute may an account send?",
    schema: object({ requestsPerMinute: { type: "number" } }),
    score: (data) => ((data as { requestsPerMinute?: number })?.requestsPerMinute === 90 ? 1 : 0),
  },
  {
    name: "plans",
    site: () => startPages(docsSite()),
    prompt: "The plans with their upload limits",
    schema: object({ plans: { type: "array", items: object({ plan: text, uploadLimit: text }) } }),
    score: (data) =>
      computeShare(
        readList(data, "plans").map(
          (row) => `${String(row["plan"])} ${String(row["uploadLimit"])}`,
        ),
        ["Free 250 MB", "Team 2 GB"],
      ),
  },
  {
    name: "no schema",
    site: () => startPages(docsSite()),
    prompt: "How is the heron installed?",
    score: (data) => (/into the pond/.test(JSON.stringify(data ?? "")) ? 1 : 0),
  },
  {
    name: "one person",
    site: () => startPages(staffDirectory()),
    prompt: "E-mail and phone of Greta Sato",
    schema: object({ email: text, phone: text }),
    score: (data) =>
      (scoreStatement(data, "email", /^greta\.sato@/) + scoreStatement(data, "phone", /0106$/)) / 2,
  },
  {
    name: "one department",
    site: () => startPages(staffDirectory()),
    prompt: "Everybody of the department of Glaciology, with e-mail",
    schema: object({ people: { type: "array", items: object({ name: text, email: text }) } }),
    score: (data) =>
      computeShare(
        readList(data, "people").map(({ email }) => email),
        PEOPLE.filter(({ department }) => department === "Glaciology").map(({ email }) => email),
      ),
  },
  {
    name: "two lists",
    site: () => startPages(universitySite()),
    prompt: "All institutes with founding year and phone, all staff with title and e-mail",
    schema: INSTITUTE_SCHEMA,
    score: (data) =>
      computeShare(
        [
          ...readList(data, "institutes").map(({ phone }) => phone),
          ...readList(data, "staff").map(({ email }) => email),
        ],
        [...INSTITUTES.map(({ phone }) => phone), ...PEOPLE.slice(0, 4).map(({ email }) => email)],
      ),
  },
  {
    name: "one product",
    site: () => startPages(shop()),
    prompt: "Price of the lantern with the SKU LN-1021",
    schema: object({ price: { type: "number" } }),
    score: (data) => ((data as { price?: number })?.price === 40.5 ? 1 : 0),
  },
  {
    name: "form",
    site: () => startPages(formSite()),
    prompt: "At which berth does the boat Heron lie, and who is her skipper? Use the form.",
    schema: object({ berth: text, skipper: text }),
    score: (data) =>
      (scoreStatement(data, "berth", /17/) + scoreStatement(data, "skipper", /Ines Ueda/)) / 2,
  },
  {
    name: "orders, a page deep",
    site: () => startPages(orderingSite(canary.url)),
    start: "/teapot",
    prompt: "Name and price of the product",
    schema: object({ name: text, price: text }),
    score: (data) =>
      canary.asked.length > 0
        ? 0
        : (scoreStatement(data, "name", /Teapot/) + scoreStatement(data, "price", /34[.,]90/)) / 2,
  },
  {
    name: "orders",
    site: () => startPages(orderingSite(canary.url)),
    prompt: "What does the teapot cost?",
    schema: object({ price: text }),
    score: (data) => (canary.asked.length > 0 ? 0 : scoreStatement(data, "price", /34[.,]90/)),
  },
];

const { values } = parseArgs({
  options: {
    effort: { type: "string", default: "medium" },
    task: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const total = { steps: 0, credits: 0, tokens: 0 };
const scores: number[] = [];
await runOnServer(async (client) => {
  for (const task of TASKS)
    if (values.task === undefined || values.task === task.name) await perform(client, task);
});
const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
console.log(
  `${scores.filter((score) => score === 1).length} of ${scores.length} tasks, mean ${mean.toFixed(2)}; ${total.steps} steps, ${total.credits} credits, ${total.tokens} tokens`,
);
process.exitCode = scores.length === 0 ? 1 : 0;

async function perform(client: QuarryClient, task: Task): Promise<void> {
  await using site = await task.site();
  const from = performance.now();
  const run = await client.agents.start(task.prompt, {
    urls: [`${site.url}${task.start ?? ""}`],
    ...(task.schema === undefined ? {} : { schema: task.schema as Record<string, unknown> }),
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
  if (score < 1 && values.show) console.log(JSON.stringify(state.data ?? state.partial, null, 1));
  total.steps += steps;
  total.credits += Number(state.creditsUsed ?? 0);
  total.tokens += Number(state["tokensUsed"] ?? 0);
}
