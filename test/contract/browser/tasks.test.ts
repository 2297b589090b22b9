// Small tasks on pages with the nine actions through the service; the final page is checked. The
// pages are in test/site/tasks/.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

const PAGES = path.resolve(import.meta.dirname, "../../site/tasks");
let service: Service;
let base: string;

const click = (selector: string, all = false) => ({
  type: "click",
  selector,
  ...(all ? { all } : {}),
});
const write = (text: string) => ({ type: "write", text });
const press = (...keys: string[]) => keys.map((key) => ({ type: "press", key }));
const waitFor = (selector: string) => ({ type: "wait", selector });
const pause = (milliseconds: number) => ({ type: "wait", milliseconds });
const run = (script: string) => ({ type: "executeJavascript", script });
const scroll = (times: number, selector?: string) =>
  Array.from({ length: times }, () => ({
    type: "scroll",
    direction: "down",
    ...(selector === undefined ? {} : { selector }),
  }));

/** A pointer drag, for which there is no action. */
const DRAG = `
  const from = document.querySelector("#banana"), list = document.querySelector("#list");
  const at = (type, y) => (type === "pointerup" ? window : type === "pointerdown" ? from : list).dispatchEvent(new PointerEvent(type, { bubbles: true, clientY: list.getBoundingClientRect().top + y }));
  at("pointerdown", 100); at("pointermove", 60); at("pointermove", 10); at("pointerup", 10);
  document.querySelector("#outcome").textContent`;
const DROP = `
  const data = new DataTransfer();
  data.items.add(new File(["made by a script"], "made.txt", { type: "text/plain" }));
  document.querySelector("#zone").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));`;

type Task = {
  readonly page: string;
  readonly steps: readonly object[];
  /** In the final Markdown, and not there without the actions. */
  readonly outcome: string;
  readonly values?: readonly unknown[];
};

const TASKS: Readonly<Record<string, Task>> = {
  "fills in a form, field after field, and sends it": {
    page: "form",
    steps: [
      click("[name=name]"),
      write("Ada Lovelace"),
      ...press("Tab"),
      write("ada@example.com"),
      ...press("Tab", "ArrowDown", "ArrowDown"),
      click("[value=bill]"),
      click("[name=news]"),
      click("textarea"),
      write("Ring twice"),
      click("#send"),
    ],
    outcome:
      "Ordered: name=Ada Lovelace; mail=ada@example.com; size=large; pay=bill; news=on; note=Ring twice",
  },
  "sorts a list by keyboard": {
    page: "drag",
    steps: press("Tab", "Space", "ArrowDown", "ArrowDown", "Space"),
    outcome: "Order: apple, banana, cherry",
  },
  "drags an entry to the top": {
    page: "drag",
    steps: [run(DRAG)],
    outcome: "Order: banana, cherry, apple",
    values: ["Order: banana, cherry, apple"],
  },
  "picks a day of the next month": {
    page: "date",
    steps: [click("#day"), click("#after"), click('[aria-label="15 December 2026"]')],
    outcome: "Chosen: 15 December 2026",
  },
  "waits for what comes late, and for what comes after it": {
    page: "late",
    steps: [click("#load"), waitFor("#story"), click("#more"), pause(600)],
    outcome: "This is the end of the story.",
  },
  "scrolls until there are no more entries": {
    page: "endless",
    steps: scroll(14),
    outcome: "Entry 60",
  },
  "signs in a frame within a frame": {
    page: "frames",
    steps: [click("#sign"), write("Grace"), click("#done")],
    outcome: "Signed by Grace",
  },
  "clicks all of a kind within components, then one of them": {
    page: "shadow",
    steps: [click(".vote", true), click("vote-box[name=tea] .vote")],
    outcome: "3 votes, the last for tea",
  },
  "chooses a row that is drawn only when it is in view": {
    page: "virtual",
    steps: [...scroll(3, "#scroller"), waitFor("#row-65"), click("#row-65")],
    outcome: "Chosen: row 65",
  },
  "completes a word from a list of suggestions": {
    page: "autocomplete",
    steps: [
      click("#city"),
      write("ber"),
      waitFor("[role=option]"),
      ...press("ArrowDown", "ArrowDown", "Enter"),
    ],
    outcome: "City: Bergen",
  },
  "cancels a dialog by Escape, opens it again and agrees": {
    page: "modal",
    steps: [
      click("#delete"),
      waitFor("#sure[open]"),
      ...press("Escape"),
      run("document.querySelector('#outcome').textContent"),
      click("#delete"),
      click("#yes"),
    ],
    outcome: "Everything was deleted.",
    values: ["Cancelled."],
  },
  "goes through tabs by mouse and keyboard": {
    page: "tabs",
    steps: [
      click("#tab-two"),
      run("return document.querySelector('#two').checkVisibility()"),
      ...press("ArrowRight"),
      pause(300),
    ],
    outcome: "The third panel, fetched when it was asked for, is about slate.",
    values: [true],
  },
  "writes into an upload without a file": {
    page: "upload",
    steps: [click("#zone"), write("A text without a file"), click("#send"), pause(300)],
    outcome: "Sent 21 characters: A text without a file",
  },
  "drops a file that a script has made": {
    page: "upload",
    steps: [run(DROP), click("#send"), pause(300)],
    outcome: "Sent 16 characters: made by a script",
    values: [false],
  },
  "chooses from a menu within a menu by keyboard": {
    page: "menu",
    steps: press("Tab", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"),
    outcome: "Chosen: As picture",
  },
  "goes on over several pages, one of which wants a new tab": {
    page: "pages",
    steps: [
      click("#word"),
      write("slate"),
      ...press("Enter"),
      { type: "screenshot" },
      click("#next"),
      waitFor("#outcome"),
      { type: "scrape" },
      { type: "pdf" },
    ],
    outcome: "The word was slate.",
  },
};

const read = (page: string, actions: readonly object[]): Promise<Document> =>
  service.page({
    url: `${base}/${page}.html`,
    formats: ["markdown"],
    onlyMainContent: false,
    timeout: 60_000,
    ...(actions.length === 0 ? { waitFor: 200 } : { actions }),
  });

describe.skipIf(isRemote)("tasks by actions", () => {
  beforeAll(async () => {
    service = await shareService();
    const site = await openSite((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site");
      void readFile(path.join(PAGES, path.basename(pathname))).then(
        (file) => response.writeHead(200, { "content-type": "text/html" }).end(file),
        () => response.writeHead(404).end(),
      );
    });
    base = site.base;
  });
  afterAll(async () => {
    await closeAll();
    await service.close();
  });

  it.each(Object.entries(TASKS))(
    "completes the task with actions: %s",
    async (_task, { page, steps, outcome, values = [] }) => {
      expect((await read(page, [])).markdown).not.toContain(outcome);
      const { markdown, actions } = await read(page, steps);
      expect(markdown).toContain(outcome);
      expect(actions?.javascriptReturns.map(({ value }) => value)).toEqual(values);
      const count = (type: string): number =>
        steps.filter((step) => "type" in step && step.type === type).length;
      expect(actions?.screenshots).toHaveLength(count("screenshot"));
      expect(actions?.pdfs).toHaveLength(count("pdf"));
      expect(actions?.scrapes).toHaveLength(count("scrape"));
    },
    60_000,
  );

  it("the tasks use all nine actions", () => {
    const used = Object.values(TASKS).flatMap(({ steps }) =>
      steps.map((step) => ("type" in step ? step.type : "")),
    );
    expect(new Set(used).size).toBe(9);
  });
});
