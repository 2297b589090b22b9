// Small form tasks by prompt in a live page, like MiniWoB. A scripted model: the snapshot names
// what a task needs and the tools do it; the final page is checked.
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentTraceResponseSchema } from "../../../src/contract/jobs/agent-trace.ts";
import { act, answerWith, done, lastResult, look } from "../../live-prompts.ts";
import type { ModelServer, Turn } from "../../model-server.ts";
import { startPromptServer, type PromptServer } from "../../prompt-server.ts";
import { isRemote, type Service } from "../../service.ts";
import { startPages, type PageAnswer, type PageSite } from "../../site/agent-sites.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../site/tasks");
let prompts: PromptServer;
let service: Service;
let model: ModelServer;
let site: PageSite;
let client: Firecrawl;
let turns: Turn[] = [];

const file =
  (name: string): PageAnswer =>
  (_request, response) =>
    void readFile(path.join(FOLDER, name)).then((text) =>
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text),
    );
const FILES = ["form", "date", "tabs", "modal", "autocomplete", "frames", "frame-outer"];
const MORE = ["frame-inner", "shadow", "late", "menu", "virtual", "endless"];

const outcome = `<p id="outcome">Nothing yet.</p>`;
const say = (text: string): string => `document.querySelector('#outcome').textContent = ${text}`;
const ROWS = ["Ada", "Bruno", "Carla"].map(
  (name, at) =>
    `<tr><td>${name}</td><td>${at + 30}</td><td><button aria-label="Remove ${name}" onclick="this.closest('tr').remove(); ${say(`'Left: ' + document.querySelectorAll('tbody tr').length`)}">Remove</button></td></tr>`,
);
const member = (request: IncomingMessage): boolean => request.headers.cookie === "who=ada";

const PAGES: Record<string, PageAnswer> = {
  ...Object.fromEntries([...FILES, ...MORE].map((name) => [`/${name}.html`, file(`${name}.html`)])),
  "/slider": `<title>Slider</title><label>Volume <input type="range" min="0" max="10" value="2" oninput="${say("'Volume: ' + this.value")}"></label>${outcome}`,
  "/day": `<title>Day</title><label>Day <input type="date" onchange="${say("'Day: ' + this.value")}"></label>${outcome}`,
  "/rows": `<title>Rows</title><table><thead><tr><th>Name</th><th>Age</th><th>Action</th></tr></thead><tbody>${ROWS.join("")}</tbody></table>${outcome}`,
  "/login": `<title>Log in</title><form action="/in"><label>User <input name="user"></label><label>Password <input name="word" type="password"></label><button>Log in</button></form>`,
  "/in?": (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://a.example");
    const isRight = searchParams.get("user") === "ada" && searchParams.get("word") === "swordfish";
    if (isRight) response.writeHead(302, { location: "/account", "set-cookie": "who=ada" }).end();
    else response.writeHead(302, { location: "/login" }).end();
  },
  "/account": (request, response) =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(
        `<title>Account</title><p>${member(request) ? "Balance: 17 crowns" : "Log in first."}</p>`,
      ),
  "/wizard": `<title>Wizard</title><div id="w"><h1>Step 1</h1><label>Name <input id="n"></label><button onclick="window.n=document.querySelector('#n').value; w.innerHTML='<h1>Step 2</h1><label><input type=radio name=c>Tea</label><label><input type=radio name=c id=coffee>Coffee</label><button onclick=two()>Next</button>'">Next</button></div>${outcome}<script>function two(){const c=document.querySelector('#coffee').checked;w.innerHTML='<h1>Step 3</h1><button onclick="three('+c+')">Confirm</button>'}function three(c){${say("window.n + ' has ' + (c ? 'coffee' : 'tea')")}}</script>`,
  "/list": `<title>List 1</title><ul><li>Heron</li></ul><a href="/list?page=2">Next page</a>`,
  "/list?": (request, response) => {
    const page = Number(new URL(request.url ?? "", "http://a.example").searchParams.get("page"));
    const next = page < 3 ? `<a href="/list?page=${page + 1}">Next page</a>` : "";
    const rare = page === 3 ? "<li>Rare: Bittern</li>" : "<li>Gull</li>";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>List ${page}</title><ul>${rare}</ul>${next}`);
  },
  "/first": `<title>First</title><p>The word is slate.</p><a href="/second">On</a>`,
  "/tall": `<title>Tall</title><p>${"A sentence of the long page that is read again and again. ".repeat(200)}</p>`,
  "/second": `<title>Second</title><p>Nothing here.</p>`,
  "/confirm": `<title>Confirm</title><button onclick="${say("confirm('Sure?') ? 'Agreed' : 'Declined'")}">Ask</button>${outcome}`,
  "/contenteditable": `<title>Editor</title><div role="textbox" aria-label="Letter" contenteditable="true" oninput="${say("'Letter: ' + this.textContent")}"></div>${outcome}`,
};

beforeAll(async () => {
  if (isRemote) return;
  site = await startPages(PAGES);
  prompts = await startPromptServer(() => turns.shift());
  ({ service, model, client } = prompts);
}, 120_000);
afterAll(async () => {
  if (isRemote) return;
  await prompts[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  turns = [];
});

async function open(page: string): Promise<string> {
  const document = await service.page({ url: `${site.url}${page}`, formats: ["links"] });
  return String(document.metadata.scrapeId);
}

const wait = (milliseconds: number): Turn => act("wait", undefined, { milliseconds });
const read = act("extract", undefined);
const press = (...keys: string[]): Turn[] => keys.map((key) => act("press", undefined, { key }));

type Task = {
  readonly page: string;
  readonly steps: readonly Turn[];
  /** The final text of the page. */
  readonly outcome: RegExp;
};

const TASKS: Readonly<Record<string, Task>> = {
  "fills in text, mail, list, radio, checkbox and note, and sends them": {
    page: "/form.html",
    steps: [
      act("type", /textbox "Name"/, { text: "Ada Lovelace" }),
      act("type", /textbox "E-mail"/, { text: "ada@example.com" }),
      act("select", /combobox/, { option: "large" }),
      act("click", /radio "Bill"/),
      act("click", /checkbox "News"/),
      act("type", /textbox "Note"/, { text: "Ring twice" }),
      act("click", /button "Send"/),
      wait(400),
    ],
    outcome:
      /Ordered: name=Ada Lovelace; mail=ada@example.com; size=large; pay=bill; news=on; note=Ring twice/,
  },
  "picks a day from a calendar, a month on": {
    page: "/date.html",
    steps: [
      act("click", /textbox "Arrival"/),
      act("click", /button "›"/),
      wait(300),
      act("click", /button "15 December 2026"/),
    ],
    outcome: /Chosen: 15 December 2026/,
  },
  "sets a day in a field for dates": {
    page: "/day",
    steps: [act("type", /textbox "Day"|"Day"/, { text: "2026-12-15" })],
    outcome: /Day: 2026-12-15/,
  },
  "goes through several steps of one form": {
    page: "/wizard",
    steps: [
      act("type", /textbox "Name"/, { text: "Ada" }),
      act("click", /button "Next"/),
      act("click", /radio "Coffee"/),
      act("click", /button "Next"/),
      act("click", /button "Confirm"/),
    ],
    outcome: /Ada has coffee/,
  },
  "opens the third tab and reads what it fetches": {
    page: "/tabs.html",
    steps: [act("click", /tab "Three"/), wait(400)],
    outcome: /third panel.*is about slate/,
  },
  "opens a dialog, closes it by Escape, opens it again and agrees": {
    page: "/modal.html",
    steps: [
      act("click", /button "Delete everything"/),
      wait(300),
      ...press("Escape"),
      act("click", /button "Delete everything"/),
      wait(300),
      act("click", /button "Yes"/),
    ],
    outcome: /Everything was deleted\./,
  },
  "completes a word from suggestions": {
    page: "/autocomplete.html",
    steps: [act("type", /combobox/, { text: "ber" }), wait(400), act("click", /option "Bergen"/)],
    outcome: /City: Bergen/,
  },
  "moves a slider by keyboard": {
    page: "/slider",
    steps: [act("type", /slider/, { text: "5" }), ...press("ArrowRight", "ArrowRight")],
    outcome: /Volume: 7/,
  },
  "removes the row of a table that is about somebody": {
    page: "/rows",
    steps: [act("click", /button "Remove Bruno"/)],
    outcome: /Ada\s+30[\s\S]*Carla\s+32[\s\S]*Left: 2/,
  },
  "logs in, and reads what only members see": {
    page: "/login",
    steps: [
      act("type", /textbox "User"/, { text: "ada" }),
      act("type", /textbox "Password"/, { text: "swordfish", submit: true }),
    ],
    outcome: /Balance: 17 crowns/,
  },
  "turns pages until it finds what is asked for": {
    page: "/list",
    steps: [act("click", /link "Next page"/), act("click", /link "Next page"/)],
    outcome: /Rare: Bittern/,
  },
  "chooses from a menu within a menu by keyboard": {
    page: "/menu.html",
    steps: press("Tab", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"),
    outcome: /Chosen: As picture/,
  },
  "signs in a frame within a frame": {
    page: "/frames.html",
    steps: [act("type", /textbox "Sign"/, { text: "Grace" }), act("click", /button "Done"/)],
    outcome: /Signed by Grace/,
  },
  "votes within components": {
    page: "/shadow.html",
    steps: [act("click", /button "Vote for coffee"/), act("click", /button "Vote for tea"/)],
    outcome: /2 votes, the last for tea/,
  },
  "waits for what comes late": {
    page: "/late.html",
    steps: [act("click", /button "Load"/), wait(2_000), act("click", /button "Go on"/), wait(600)],
    outcome: /This is the end of the story\./,
  },
  "writes into an editor that is no field": {
    page: "/contenteditable",
    steps: [act("type", /textbox "Letter"/, { text: "Dear Ada" })],
    outcome: /Letter: Dear Ada/,
  },
  "is not held up by a question of the browser": {
    page: "/confirm",
    steps: [act("click", /button "Ask"/)],
    outcome: /Declined/,
  },
};

type Prompted = {
  readonly success: boolean;
  readonly sessionId?: string;
  readonly output?: string;
  readonly steps?: readonly { readonly tool: string; readonly result: string }[];
};

describe.skipIf(isRemote)("tasks by prompt", () => {
  it.each(Object.entries(TASKS))(
    "completes the task by prompt: %s",
    async (_name, { page, steps, outcome: wanted }) => {
      turns = [...steps, read, answerWith(wanted)];
      const id = await open(page);
      const answer = (await client.interact(id, { prompt: "Do it", timeout: 60 })) as Prompted;
      const told = answer.steps?.map(({ tool, result }) => `${tool}: ${result}`).join("\n");
      expect(answer.success, told).toBe(true);
      expect(answer.output, told).toMatch(wanted);
      expect(turns).toEqual([]);
      await client.stopInteraction(id);
    },
    60_000,
  );

  it("goes back to the previous page and continues there", async () => {
    turns = [
      act("click", /link "On"/),
      (request) => {
        expect(look(request)).toContain("/second Second");
        return { toolCalls: [{ name: "back", arguments: {} }] };
      },
      (request) => {
        expect(lastResult(request)).toBe("Went back.");
        expect(look(request)).toContain("/first First");
        return { toolCalls: [{ name: "extract", arguments: {} }] };
      },
      answerWith(/The word is slate/),
    ];
    const id = await open("/first");
    const answer = (await client.interact(id, { prompt: "Which word?", timeout: 60 })) as Prompted;
    expect(answer).toMatchObject({ success: true, output: "The word is slate" });
    model.check();
    await client.stopInteraction(id);
  }, 60_000);
});

describe.skipIf(isRemote)("long page read repeatedly", () => {
  it("shortens text that the model read long ago", async () => {
    const sizes: number[] = [];
    const again: Turn = (request) => {
      sizes.push(JSON.stringify(request.messages.filter(({ role }) => role === "tool")).length);
      return { toolCalls: [{ name: "extract", arguments: {} }] };
    };
    turns = [...Array.from({ length: 14 }, () => again), done("Read.")];
    const id = await open("/tall");
    const answer = (await client.interact(id, { prompt: "Read", timeout: 60 })) as Prompted;
    expect(answer.success).toBe(true);
    expect(Math.max(...sizes)).toBeGreaterThan(8_000);
    expect(Math.max(...sizes)).toBeLessThan(45_000);
  }, 90_000);
});

describe.skipIf(isRemote)("prompt trace", () => {
  const traceOf = (address: string) => service.ask(address);
  const types = (body: unknown): string[] =>
    agentTraceResponseSchema
      .parse({ id: "any", ...(body as object) })
      .events.map((event) =>
        event.type.startsWith("tool_call")
          ? `${event.type} ${String(event["toolName"])}`
          : event.type,
      );

  it("lists the steps of all prompts in order as they happen and after the session's end", async () => {
    const id = await open("/first");
    const address = `/v2/scrape/${id}/interact/trace`;
    expect((await traceOf(address)).status).toBe(404);
    turns = [act("click", /link "On"/), { hang: true }];
    const asked = client.interact(id, { prompt: "Go on", timeout: 12 });
    const click = ["tool_call.started click", "tool_call.finished click"];
    await expect
      .poll(async () => types((await traceOf(address)).body))
      .toEqual(["run.started", "agent.started", ...click]);
    expect(((await asked) as Prompted).success).toBe(false);
    const failed = ["run.started", "agent.started", ...click, "agent.finished", "run.finished"];
    expect(types((await traceOf(address)).body)).toEqual(failed);
    turns = [act("back", undefined), done("Back again.")];
    const { sessionId } = (await client.interact(id, { prompt: "Back", timeout: 60 })) as Prompted;
    await client.stopInteraction(id);
    const { body } = await traceOf(address);
    const second = ["tool_call.started back", "tool_call.finished back", "reasoning.summary"];
    expect(types(body)).toEqual([
      ...failed,
      "run.started",
      "agent.started",
      ...second,
      "agent.finished",
      "run.finished",
    ]);
    const { events } = agentTraceResponseSchema.parse({ id: "any", ...(body as object) });
    expect(events.map(({ producerSequence }) => producerSequence)).toEqual(
      events.map((_, at) => at),
    );
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(2);
    expect(events.at(-1)).toMatchObject({ type: "run.finished", outcome: "succeeded" });
    expect(events.findLast(({ type }) => type === "tool_call.finished")).toMatchObject({
      result: { text: "Went back." },
    });
    expect(await service.client.session(String(sessionId)).trace()).toEqual(events);
  }, 60_000);

  it("reports a model that declines", async () => {
    const id = await open("/first");
    turns = [{ text: "I cannot help with that.", finish: "content_filter" }];
    await client.interact(id, { prompt: "Something", timeout: 30 });
    const { body } = await traceOf(`/v2/scrape/${id}/interact/trace`);
    expect((body as { events?: unknown[] }).events?.at(-1)).toMatchObject({
      type: "run.finished",
      outcome: "refused",
    });
  }, 60_000);
});
