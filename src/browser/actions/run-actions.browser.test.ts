import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchTestBrowser } from "../../../test/browser/launch.ts";
import { ORIGIN, openPages } from "../../../test/browser/pages.ts";
import { actionsSchema } from "../../contract/page/actions.ts";
import { Deadline } from "../../deadline.ts";
import type { QuarryError } from "../../errors.ts";
import { runActions, type ActionsResult } from "./run-actions.ts";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterEach(async () => {
  await page.context().close();
});
afterAll(async () => {
  await browser.close();
});

async function open(html: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  page = await openPages(browser, { "/": html, ...more });
}

/** Runs steps as given in a request. */
async function run(steps: readonly object[], ms = 20_000): Promise<ActionsResult> {
  using deadline = Deadline.start(ms);
  return await runActions(page, actionsSchema.parse(steps), { patienceMs: 1_500 }, deadline);
}

async function fault(steps: readonly object[], ms?: number): Promise<QuarryError> {
  return await run(steps, ms).then(
    () => {
      throw new Error("The steps did not fail.");
    },
    (error: QuarryError) => error,
  );
}

const script = (text: string): object => ({ type: "executeJavascript", script: text });
const click = (selector: string): object => ({ type: "click", selector });

async function valueOf(text: string): Promise<unknown> {
  return (await run([script(text)])).actions.javascriptReturns[0]?.value;
}

describe("click and write actions", () => {
  it("fills in a form field by field and submits it", async () => {
    await open(
      `<form action="/done"><label for=n>Name</label><input id=n name=n><input type=checkbox id=c name=c>
       <select id=s name=s><option>one<option>two</select><button>Send</button></form>`,
      { "/done": "<h1>Thank you</h1>" },
    );
    const { actions } = await run([
      click("#n"),
      { type: "write", text: "Ada Lovelace" },
      click("#c"),
      click("#s"),
      { type: "press", key: "ArrowDown" },
      { type: "press", key: "ENTER" },
      click("button"),
      { type: "scrape" },
    ]);
    expect(actions.scrapes[0]?.url).toBe(`${ORIGIN}/done?n=Ada+Lovelace&c=on&s=two`);
    expect(actions.scrapes[0]?.html).toContain("Thank you");
  });

  it("types character by character, and inserts the rest of a very long text at once", async () => {
    await open(`<input id=a oninput="window.count = (window.count ?? 0) + 1">`);
    const text = `né😀${"x".repeat(3_000)}`;
    const { actions } = await run([
      click("#a"),
      { type: "write", text },
      script("[a.value, count > 900]"),
    ]);
    expect(actions.javascriptReturns[0]).toEqual({ type: "object", value: [text, true] });
  });

  it("waits for an element that appears late, moves and is disabled at first", async () => {
    await open(
      `<div id=place></div><script>setTimeout(() => {
        place.innerHTML = '<button id=b disabled style="position:relative">Go</button>';
        b.onclick = () => { document.title = "clicked"; };
        b.animate([{ left: "0px" }, { left: "300px" }], { duration: 400, fill: "forwards" });
        setTimeout(() => { b.disabled = false; }, 700);
      }, 300)</script>`,
    );
    const { actions } = await run([click("#b"), script("document.title")]);
    expect(actions.javascriptReturns).toEqual([{ type: "string", value: "clicked" }]);
  });

  it("keeps a menu open between steps", async () => {
    await open(
      `<button id=open>Menu</button><div id=menu hidden><a id=item href="/two">Two</a></div><script>
       open_ = document.getElementById("open");
       open_.onclick = () => fetch("/data").then(() => { menu.hidden = false; });
       document.addEventListener("mouseleave", () => { menu.hidden = true; });</script>`,
      { "/two": "<title>Two</title>", "/data": "x" },
    );
    const { actions } = await run([click("#open"), click("#item"), { type: "scrape" }]);
    expect(actions.scrapes[0]?.url).toBe(`${ORIGIN}/two`);
  });

  it("clicks the first visible match instead of the first match", async () => {
    await open(
      `<button class=x hidden onclick="hit='hidden'">a</button><button class=x onclick="hit='shown'">b</button>`,
    );
    await run([click(".x")]);
    expect(await valueOf("hit")).toBe("shown");
  });

  it("finds elements in open shadow roots and frames", async () => {
    await open(
      `<my-box></my-box><iframe src="/frame"></iframe><script>
       document.querySelector("my-box").attachShadow({ mode: "open" }).innerHTML =
         '<button id=deep onclick="document.title += \\'shadow-\\'">x</button>';</script>`,
      { "/frame": `<input id=inner oninput="parent.document.title += value">` },
    );
    await run([click("#deep"), click("#inner"), { type: "write", text: "ab" }]);
    expect(await valueOf("document.title")).toBe("shadow-aab");
  });

  it("clicks all visible matches and skips those that an earlier click removed", async () => {
    await open(
      `<script>clicked = []</script><button class=b onclick="clicked.push(1); c.remove()">1</button>
       <button class=b id=c onclick="clicked.push(2)">2</button><button class=b hidden>3</button>
       <button class=b onclick="clicked.push(4)">4</button>`,
    );
    await run([
      { type: "click", selector: ".b", all: true },
      { type: "click", selector: ".none", all: true },
    ]);
    expect(await valueOf("clicked")).toEqual([1, 4]);
  });

  it("drags by script and picks a date", async () => {
    await open(
      `<div id=from draggable=true>drag</div><div id=to ondragover="event.preventDefault()" ondrop="textContent='dropped'">here</div>
       <input id=date type=date><script>day = (n) => { date.value = "2026-01-" + n; date.dispatchEvent(new Event("change")); };</script>
       <table><tr><td><button class=day onclick="day('17')">17</button></table>`,
    );
    await run([
      script(`const data = new DataTransfer();
        for (const [id, type] of [["from", "dragstart"], ["to", "dragover"], ["to", "drop"]])
          document.getElementById(id).dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));`),
      click(".day"),
    ]);
    expect(await valueOf("[to.textContent, date.value]")).toEqual(["dropped", "2026-01-17"]);
  });
});

describe("scroll and wait actions", () => {
  it("loads more of an endless list with each scroll", async () => {
    await open(
      `<ul id=list></ul><div id=end style="height:10px"></div><script>
       const more = () => { for (let i = 0; i < 20; i++) list.insertAdjacentHTML("beforeend", "<li style='height:60px'>" + list.children.length); };
       new IntersectionObserver((e) => { if (e[0].isIntersecting) setTimeout(more, 50); }).observe(end); more();</script>`,
    );
    const before = Number(await valueOf("list.children.length"));
    await run([{ type: "scroll" }, { type: "scroll" }, { type: "scroll" }]);
    expect(Number(await valueOf("list.children.length"))).toBeGreaterThan(before);
    const from = Number(await valueOf("scrollY"));
    await run([{ type: "scroll", direction: "up" }]);
    expect(await valueOf("scrollY")).toBe(from - 720);
  });

  it("scrolls an element, or the largest scrollable part if the page does not scroll", async () => {
    const box = (id: string, height: number): string =>
      `<div id=${id} style="height:${height}px;overflow:auto"><div style="height:3000px">x</div></div>`;
    await open(`<style>body{margin:0}</style>${box("small", 100)}${box("large", 500)}`);
    await run([{ type: "scroll" }, { type: "scroll", selector: "#small" }]);
    expect(await valueOf("[small.scrollTop, large.scrollTop]")).toEqual([100, 500]);
  });

  it("scrolls an element that fails to scroll into view", async () => {
    await open(`<div style="height:5000px"></div><p id=foot>end</p>`);
    await run([{ type: "scroll", selector: "#foot" }]);
    expect(await valueOf("foot.getBoundingClientRect().top < innerHeight")).toBe(true);
  });

  it("waits for a time and for an element to become visible", async () => {
    await open(`<p id=p hidden>x</p><script>setTimeout(() => { p.hidden = false; }, 400)</script>`);
    const from = performance.now();
    await run([
      { type: "wait", selector: "#p" },
      { type: "wait", milliseconds: 200 },
    ]);
    expect(performance.now() - from).toBeGreaterThan(195);
    expect(await valueOf("p.hidden")).toBe(false);
  });
});

describe("executeJavascript action", () => {
  it.each([
    ["1 + 1", "number", 2],
    ["'text'", "string", "text"],
    ["null", "object", null],
    ["undefined", "undefined", null],
    ["const a = { b: [1, { c: true }] }; a", "object", { b: [1, { c: true }] }],
    ["return 5", "number", 5],
    ["const r = await Promise.resolve(6); return r;", "number", 6],
    ["() => document.title", "string", "T"],
    ["Promise.resolve(true)", "boolean", true],
    ["document.querySelector('b')", "object", "<b>x</b>"],
    ["10n ** 20n", "bigint", "100000000000000000000"],
    ["let x = 1; x", "number", 1],
  ])("returns script values: %s", async (text, type, value) => {
    await open("<title>T</title><b>x</b>");
    const { actions } = await run([script(text), script(text)]);
    expect(actions.javascriptReturns).toEqual([
      { type, value },
      { type, value },
    ]);
  });

  it("reports the error that a script threw", async () => {
    await open("");
    expect(await fault([script("1"), script("JSON.parse('{')")])).toMatchObject({
      code: "SCRAPE_ACTION_ERROR",
      message: expect.stringMatching(
        /^Action 1 \(executeJavascript\) failed: the script threw SyntaxError: .*JSON/,
      ),
    });
  });

  it.each([
    ["an endless loop", "for (;;) {}", 3_000, /SCRAPE_(ACTION_ERROR|TIMEOUT)/],
    ["a promise that never settles", "new Promise(() => {})", 2_000, /SCRAPE_TIMEOUT/],
    ["a huge text", "'x'.repeat(50_000_000)", 20_000, /SCRAPE_ACTION_ERROR/],
    [
      "deep nesting",
      "let a = []; for (let i = 0; i < 3000; i++) a = [a]; a",
      20_000,
      /SCRAPE_ACTION_ERROR/,
    ],
    ["a circle", "const a = {}; a.a = a; a", 20_000, /SCRAPE_ACTION_ERROR/],
  ])("limits the time of a script with %s", async (_name, text, ms, code) => {
    await open("");
    expect((await fault([script(text)], ms)).code).toMatch(code);
  });

  it("continues on the page that a script navigates to", async () => {
    await open("", { "/next": "<title>Next</title>" });
    const { actions } = await run([script("location.href = '/next'"), script("document.title")]);
    expect(actions.javascriptReturns[1]?.value).toBe("Next");
  });
});

describe("action failures", () => {
  it("names index, type, selector and reason of the failed step", async () => {
    await open("<p>x</p>");
    const seen = script("({ seen: 1 })");
    const long = script("'x'.repeat(200_000)");
    const error = await fault([seen, { type: "scrape" }, long, click("#never")]);
    expect(error).toMatchObject({
      code: "SCRAPE_ACTION_ERROR",
      status: 500,
      message: 'Action 3 (click "#never") failed: no element matched the selector within 1500 ms.',
      details: {
        action: {
          index: 3,
          type: "click",
          selector: "#never",
          reason: "no element matched the selector within 1500 ms",
        },
        before: {
          url: expect.stringMatching(/^http:/),
          scrapes: [{ url: expect.stringMatching(/^http:/) }],
          javascriptReturns: [{ type: "object", value: { seen: 1 } }],
        },
      },
    });
  });

  it.each([
    ["<button id=b hidden>x</button>", /none became visible/],
    ["<button id=b disabled>x</button>", /the element is not enabled/],
    [
      `<button id=b>x</button><div id=cover style="position:fixed;inset:0"></div>`,
      /covered: <div id="cover"><\/div> is in front of it/,
    ],
  ])(
    "reports why a click failed: %s",
    async (html, reason) => {
      await open(html);
      expect((await fault([click("#b")])).message).toMatch(reason);
    },
    60_000,
  );

  it("rejects an invalid selector, an unknown key, and typing without a focused field", async () => {
    await open("<p>x</p>");
    expect((await fault([click("p[[")])).message).toMatch(/is not a CSS selector/);
    expect((await fault([{ type: "press", key: "Nokey" }])).message).toMatch(/unknown key/);
    expect((await fault([{ type: "write", text: "a" }])).message).toMatch(/no field has the focus/);
  });

  it("names the running step when the request's own time is up", async () => {
    await open("<p>x</p>");
    const error = await fault([{ type: "wait", selector: "#never" }], 1_000);
    expect(error.code).toBe("SCRAPE_TIMEOUT");
    expect(error.message).toMatch(/1000 ms.*Action 0 \(wait "#never"\) was running/);
  });
});

describe("actions on hostile pages", () => {
  it("answers dialogs and leaves a page that asks to stay", async () => {
    await open(
      `<a id=a href="/two">x</a><script>
       alert("hello"); said = [confirm("sure?"), prompt("name?", "Bob")];
       addEventListener("beforeunload", (event) => { event.preventDefault(); });</script>`,
      { "/two": "<title>Two</title>" },
    );
    const { actions, warnings } = await run([
      script("alert(1); confirm('again')"),
      click("#a"),
      script("document.title"),
    ]);
    expect(actions.javascriptReturns.map(({ value }) => value)).toEqual([true, "Two"]);
    expect(warnings[0]).toMatch(/Action 0 \(executeJavascript\) opened a dialog.*alert: 1/);
  });

  it("opens links and forms with a new-tab target in the same tab", async () => {
    await open(`<base target=_blank><a id=a href="/two" target=_blank>x</a>`, {
      "/two": `<form action="/three" target=_blank><input id=i name=q><input type=submit formtarget=_blank></form>`,
      "/three": "<title>Three</title>",
    });
    await run([
      click("#a"),
      click("#i"),
      { type: "write", text: "q" },
      { type: "press", key: "Enter" },
    ]);
    expect(page.url()).toBe(`${ORIGIN}/three?q=q`);
    expect(page.context().pages()).toHaveLength(1);
  });

  it("closes popups of scripts with a warning", async () => {
    await open(`<button id=b onclick="window.open('/ad'); document.title='here'">x</button>`, {
      "/ad": "<title>Ad</title>",
    });
    const { actions, warnings } = await run([
      click("#b"),
      { type: "wait", milliseconds: 300 },
      script("document.title"),
    ]);
    expect(actions.javascriptReturns[0]?.value).toBe("here");
    expect(page.context().pages()).toHaveLength(1);
    expect(warnings).toEqual([
      `Action 0 (click "#b") opened a popup, which was closed (${ORIGIN}/ad).`,
    ]);
  });

  it("ends at the deadline when a script of the page never ends", async () => {
    await open(`<button id=b onclick="setTimeout(() => { for (;;) {} }, 0)">x</button>`);
    const from = performance.now();
    const error = await fault([click("#b"), click("#b")], 4_000);
    expect(error.code).toMatch(/SCRAPE_(ACTION_ERROR|TIMEOUT)/);
    expect(performance.now() - from).toBeLessThan(6_000);
  });
});

describe("action results", () => {
  it("returns each kind of action result in its own list, in order", async () => {
    await open("<h1>Page</h1>", { "/b": "<h1>B</h1>" });
    const { actions } = await run([
      { type: "screenshot" },
      { type: "pdf", format: "A4", landscape: true },
      { type: "scrape" },
      script("location.href = '/b'"),
      { type: "scrape" },
      { type: "screenshot", quality: 50, viewport: { width: 400, height: 300 } },
    ]);
    expect(actions.screenshots.map(({ mimeType }) => mimeType)).toEqual([
      "image/png",
      "image/jpeg",
    ]);
    expect(actions.scrapes.map(({ url }) => url)).toEqual([`${ORIGIN}/`, `${ORIGIN}/b`]);
    expect(Buffer.from(actions.pdfs[0]?.bytes ?? []).toString("latin1")).toMatch(/^%PDF-/);
    expect(page.viewportSize()).toEqual({ width: 1280, height: 720 });
  });
});
