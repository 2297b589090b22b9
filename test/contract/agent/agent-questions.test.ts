// Prompts that ask for a subset, a superlative, a join of two lists or the impossible, over sites that were written by someone else:
// answered from the pages with a scripted model, and answered or honestly refused without one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAgentTasks, serveTasks } from "../../../bench/eval/read-tasks.ts";
import { agentCalls, columnWith } from "../../agent-runs.ts";
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type Turn,
} from "../../model-server.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let bare: Service;
let service: Service;
let model: ModelServer;
let turns: Turn[] = [];
const withModel = agentCalls(() => service);
const byRules = agentCalls(() => bare);

beforeAll(async () => {
  if (isRemote) return;
  model = await startModelServer({
    turns: (request, nth) => {
      const turn = turns.shift() ?? { text: "The script is over." };
      return typeof turn === "function" ? turn(request, nth) : turn;
    },
  });
  bare = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
});
afterAll(async () => {
  if (isRemote) return;
  await bare.close();
  await service.close();
  await model.close();
});
beforeEach(() => {
  turns = [];
});

const TASKS = readAgentTasks();
const taskOf = (id: string): (typeof TASKS)[number] => {
  const task = TASKS.find((one) => one.id.startsWith(`${id} `));
  if (task === undefined) throw new Error(`no task ${id}`);
  return task;
};

async function ask(id: string, { run }: typeof withModel) {
  const { site, prompt, schema, start, truth } = taskOf(id);
  const pages = await serveTasks(site);
  try {
    const state = await run({ prompt, urls: [`${pages.url}${start}`], schema });
    return { state, truth };
  } finally {
    pages.close();
  }
}

const call = (name: string, given: unknown) => ({ name, arguments: given });
const calls = (...toolCalls: ReturnType<typeof call>[]): Turn => ({ toolCalls });
const lastTool = ({ messages }: ChatRequest): string =>
  messages.findLast(({ role }) => role === "tool")?.content ?? "";
/** The page that the run was given, as the model reads it in the first message. */
const startOf = ({ messages }: ChatRequest): string =>
  /https?:\/\/127\.0\.0\.1:\d+[^\s"<>)]*/.exec(
    messages.map(({ content }) => content ?? "").join("\n"),
  )?.[0] ?? "";
const scrape =
  (path = ""): Turn =>
  (request) => ({
    toolCalls: [call("scrape", { url: new URL(path, startOf(request)).href })],
  });

describe.skipIf(isRemote)("prompts without a model", () => {
  it.each([
    ["a superlative", "bookshop/3"],
    ["a subset by a value that no list shows", "bookshop/4"],
    ["a subset by two conditions", "flats/2"],
    ["a join of two lists", "institute/4"],
    ["a value by another one", "institute/5"],
    ["what no page says", "institute/6"],
  ])("questions for %s fail as needs_model, free of charge, with the reason", async (_, id) => {
    const { state } = await ask(id, byRules);
    expect(state).toMatchObject({ status: "failed", stopReason: "needs_model", creditsUsed: 0 });
    expect(state.error).toContain("Nothing is charged");
    expect(state.error).toMatch(/Rules cannot tell|No row has|No page about/);
  });

  it.each([
    ["where row and column of a table meet", "docs/1"],
    ["from a label within the record of the named thing", "docs/2"],
    ["from labels in a grid on the page of the named person", "institute/3"],
  ])("questions for one value are answered %s", async (_, id) => {
    const { state, truth } = await ask(id, byRules);
    expect(state.data, state.error).toEqual(truth);
    expect(Object.values(state["sources"] as object).length).toBeGreaterThan(0);
  });

  it("questions for a list are answered from the pages of its rows, without unstated values", async () => {
    const { state, truth } = await ask("institute/1", byRules);
    const { people } = state.data as { people: Record<string, string>[] };
    const { people: wanted } = truth as { people: Record<string, string | null>[] };
    expect(people).toHaveLength(wanted.length);
    for (const person of people)
      expect(wanted.find(({ name }) => name === person["name"])).toMatchObject(person);
  });
});

describe.skipIf(isRemote)("prompts with a model", () => {
  const collectBooks =
    (more: object = {}): Turn =>
    (request) => {
      const text = lastTool(request);
      const columns = {
        title: columnWith(text, "t1", "Cartographer"),
        author: columnWith(text, "t1", "Elif Demirci"),
        price: columnWith(text, "t1", "11.99"),
      };
      return {
        toolCalls: [
          call("collect", { page: "p1", table: "t1", columns, next: true, into: "all", ...more }),
        ],
      };
    };

  it("questions for a superlative are answered from the sorted table", async () => {
    turns = [
      scrape(),
      collectBooks(),
      calls(call("query", { from: "all", sort: [{ column: "price" }], limit: 1 })),
      calls(call("finish", { rows: { "/title": "q1.first.title", "/price": "q1.first.price" } })),
    ];
    const { state, truth } = await ask("bookshop/3", withModel);
    expect(state.data, state.error).toEqual(truth);
  });

  it("questions for a subset are answered from a value on the pages of the rows", async () => {
    turns = [
      scrape(),
      scrape("/book/night-trains"),
      (request) => {
        const [list = "", detail = ""] = request.messages
          .filter(({ role }) => role === "tool")
          .map(({ content }) => content ?? "");
        return {
          toolCalls: [
            call("collect", {
              page: "p1",
              table: "t1",
              into: "all",
              next: true,
              columns: {
                title: columnWith(list, "t1", "Cartographer"),
                author: columnWith(list, "t1", "Elif Demirci"),
              },
              details: {
                link: columnWith(list, "t1", "/book/the-cartographer"),
                page: "p2",
                columns: { stock: columnWith(detail, "page", "Out of stock") },
              },
            }),
          ],
        };
      },
      calls(
        call("query", {
          from: "all",
          where: [{ column: "stock", is: "contains", value: "out of stock" }],
          columns: ["title", "author"],
        }),
      ),
      calls(call("finish", { rows: { "/books": "q1" } })),
    ];
    const { state, truth } = await ask("bookshop/4", withModel);
    const byTitle = (value: unknown): unknown =>
      (value as { books: { title: string }[] }).books.toSorted((one, other) =>
        one.title.localeCompare(other.title),
      );
    expect(byTitle(state.data), state.error).toEqual(byTitle(truth));
  });

  it("questions for a join of two lists are answered from the pages that the first one links to", async () => {
    turns = [
      scrape("/projects"),
      (request) => {
        const text = lastTool(request);
        return {
          toolCalls: [
            call("collect", {
              page: "p1",
              table: "t1",
              columns: {
                project: columnWith(text, "t1", "Deep Snow"),
                lead: columnWith(text, "t1", "Carla Esposito"),
              },
              details: {
                link: columnWith(text, "t1", "/people/carla-esposito"),
                columns: { lead_email: "E-mail" },
              },
            }),
          ],
        };
      },
      calls(call("finish", { rows: { "/projects": "projects" } })),
    ];
    const { state, truth } = await ask("institute/4", withModel);
    expect(state.data, state.error).toEqual(truth);
  });

  it("impossible questions end as empty_answer, free of charge, with the model's message", async () => {
    const nothing = calls(call("finish", { data: {}, message: "No page names a salary." }));
    turns = [scrape("/people/aino-keranen"), nothing, nothing, nothing];
    const { state } = await ask("institute/6", withModel);
    expect(state).toMatchObject({
      status: "failed",
      stopReason: "empty_answer",
      error: "No page names a salary.",
      creditsUsed: 0,
    });
  });

  it("impossible questions are not completed with values that the model made up", async () => {
    const madeUp = calls(call("finish", { data: { salary: 68_000, date_of_birth: "1971-03-12" } }));
    turns = [scrape("/people/aino-keranen"), madeUp, madeUp, madeUp, madeUp];
    const { state } = await ask("institute/6", withModel);
    expect(state.status).toBe("failed");
    expect(state.creditsUsed).toBe(0);
    expect(JSON.stringify(state.data ?? null)).not.toContain("68000");
  });
});
