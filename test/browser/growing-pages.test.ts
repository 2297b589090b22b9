// Pages that add entries when they are scrolled or a button is pressed.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { toScrollLimits, type ScrollLimits } from "../../src/contract/page/scroll.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine();
});
afterAll(async () => {
  await engine.close();
});
afterEach(closeAll);

const BATCH = 20;

type Growth = {
  readonly count?: number;
  readonly style?: string;
  /** The elements around the list, with the list as `#list`. */
  readonly frame?: string;
  /** Script that calls `load()` for the next entries. */
  readonly script: string;
  /** Milliseconds that the server takes for each batch. */
  readonly lateMs?: number;
};

/** A page that gets its entries in batches from its server. */
const openGrowing = async ({
  count = 60,
  style = "",
  frame = '<main><h1>Log</h1><div id="list"></div></main>',
  script,
  lateMs = 0,
}: Growth): Promise<string> => {
  const { base } = await openSite((request, response) => {
    const url = new URL(request.url ?? "/", "http://site.example");
    if (url.pathname === "/entries") {
      const from = Number(url.searchParams.get("from"));
      const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => from + at);
      setTimeout(() => {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(numbers));
      }, lateMs);
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
      `<!doctype html><title>Log</title>
      <style>.entry { height: 60px } ${style}</style>
      <header><nav><a href="/a">A</a> <a href="/b">B</a></nav></header>${frame}
      <footer style="height:300px">About</footer>
      <script>
        let shown = 0, busy = false;
        const load = async () => {
          if (busy || shown >= ${count}) return;
          busy = true;
          const numbers = await (await fetch("/entries?from=" + shown)).json();
          for (const number of numbers) {
            const entry = document.createElement("article");
            entry.className = "entry";
            entry.innerHTML = "<h2><a href='/e/" + number + "'>entry number " + number + "</a></h2>";
            list.append(entry);
          }
          shown += numbers.length;
          busy = false;
          globalThis.loaded?.();
        };
        load();
        ${script}
      </script>`,
    );
  });
  return base;
};

const read = async (url: string, scroll?: ScrollLimits | "auto") => {
  const { text, warnings } = await engine.capture({ url, scroll: toScrollLimits(scroll) });
  const numbers = [...text.matchAll(/>entry number (\d+)</g)].map((match) => Number(match[1]));
  return { numbers, warnings };
};
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const BY_SENTINEL = `
  const mark = document.createElement("div");
  mark.style.height = "1px";
  list.after(mark);
  new IntersectionObserver(([seen]) => { if (seen.isIntersecting) load(); }).observe(mark);`;
const BY_SCROLL = `addEventListener("scroll", () => {
  if (innerHeight + scrollY > document.documentElement.scrollHeight - 500) load();
});`;
const BUTTON = `
  const more = document.createElement("button");
  more.textContent = "Load more";
  more.onclick = load;
  globalThis.loaded = () => { if (shown >= total) more.remove(); };
  const total = 60;
  list.after(more);`;

describe("pages that grow", () => {
  it.each<[string, Growth]>([
    ["whose list ends in a watched mark above a footer", { script: BY_SENTINEL }],
    ["that listen to scrolling", { script: BY_SCROLL }],
    ["whose server takes 700 ms for each batch", { script: BY_SCROLL, lateMs: 700 }],
    ["with a button", { script: BUTTON }],
    [
      "in an element that scrolls by itself",
      {
        frame: '<main><div id="box"><div id="list"></div></div></main>',
        style: "#box { height: 500px; overflow-y: auto }",
        script:
          'box.addEventListener("scroll", () => { if (box.scrollTop + box.clientHeight > box.scrollHeight - 100) load(); });',
      },
    ],
    [
      "with a link that adds the next page in place",
      {
        script: `
          const more = document.createElement("a");
          more.textContent = "Mehr anzeigen"; more.href = "?page=2";
          more.onclick = (event) => { event.preventDefault(); load(); };
          list.after(more);`,
      },
    ],
  ])("loads all entries of pages %s", async (_how, growth) => {
    const { numbers, warnings } = await read(await openGrowing(growth), "auto");
    expect(numbers).toEqual(upTo(60));
    expect(warnings).toEqual([]);
  });

  it("does not follow a link that the page does not handle", async () => {
    const base = await openGrowing({
      count: 20,
      script: `
        const more = document.createElement("a");
        more.textContent = "Load more"; more.href = "?page=2";
        list.after(more);`,
    });
    expect(await read(base, "auto")).toEqual({ numbers: upTo(20), warnings: [] });
  });

  it("stops at the limit of entries, pixels or time, and warns", async () => {
    const base = await openGrowing({ count: 100_000, script: BY_SENTINEL });
    const limits: ScrollLimits = { maxEntries: 1_000, maxPixels: 300_000, maxTimeMs: 20_000 };
    const byEntries = await read(base, { ...limits, maxEntries: 50 });
    expect(byEntries.numbers).toEqual(upTo(byEntries.numbers.length));
    expect(byEntries.numbers.length).toBeGreaterThanOrEqual(50);
    expect(byEntries.numbers.length).toBeLessThan(200);
    expect(byEntries.warnings).toEqual([
      `scroll stopped at ${byEntries.numbers.length} entries by its limit (maxEntries 50); the page may have more.`,
    ]);
    const byPixels = await read(base, { ...limits, maxPixels: 5_000 });
    expect(byPixels.warnings.join()).toContain("(maxPixels 5000)");
    const byTime = await read(base, { ...limits, maxTimeMs: 700 });
    expect(byTime.warnings.join()).toContain("(the time)");
  });

  it("warns without the option and reads only what is shown", async () => {
    for (const [script, how] of [
      [BY_SENTINEL, "when it is scrolled"],
      [BY_SCROLL, "when it is scrolled"],
      [BUTTON, 'with "Load more"'],
    ] as const) {
      const { numbers, warnings } = await read(await openGrowing({ script }));
      expect(numbers).toEqual(upTo(20));
      expect(warnings).toEqual([
        `The page shows 20 entries and loads more ${how}; set scroll to "auto" to read them.`,
      ]);
    }
  });

  it("does not warn about a complete list even if the page mentions more entries", async () => {
    const whole = await openGrowing({ count: 20, script: BY_SENTINEL });
    expect((await read(whole)).warnings).toEqual([]);
    const linked = await openGrowing({
      count: 20,
      frame: '<main><div id="list"></div><p><a href="/archive">More</a></p></main>',
      script: "",
    });
    expect((await read(linked)).warnings).toEqual([]);
  });

  it("reads a virtualized list completely that loads its entries while it is scrolled", async () => {
    const base = await openGrowing({
      frame: '<main><div id="box"><div id="all"><div id="list"></div></div></div></main>',
      style: "#box { height: 400px; overflow-y: auto } #list { position: relative }",
      script: `
        const total = 200; let known = 30, waits = false;
        const draw = () => {
          all.style.height = known * 30 + "px";
          const first = Math.max(0, Math.floor(box.scrollTop / 30) - 3);
          const last = Math.min(known, first + 20);
          list.innerHTML = Array.from({ length: last - first }, (_, at) => first + at)
            .map((i) => "<div style='position:absolute;top:" + i * 30 + "px'>entry number " + i + "</div>").join("");
          if (last < known - 5 || known >= total || waits) return;
          waits = true;
          setTimeout(() => { waits = false; known = Math.min(total, known + 30); draw(); }, 150);
        };
        shown = ${60}; box.addEventListener("scroll", draw); setTimeout(draw, 50);`,
    });
    const { numbers } = await read(base, "auto");
    expect(numbers).toEqual(upTo(200));
  });
});
