// Pages whose scripts exhaust the browser: console, memory, processor, windows, dialogs. The
// console floods target the process that reads the browser's output. Passes if the server answers
// in time and continues.
import { broke, held, skipped, type HostileCase, type Severity } from "../hostile-case.ts";
import { describeReply } from "../target.ts";
import { MEMORY_LIMIT_BYTES } from "../limits.ts";

const TIMEOUT_MS = 40_000;
const SMALL_TIMEOUT_MS = 12_000;

type Flood = {
  readonly name: string;
  readonly attack: string;
  readonly severity: Severity;
  /** A script that runs after it has reported to the site; `n` is 1 at full size. */
  readonly script: (n: number) => string;
};

const FLOODS: readonly Flood[] = [
  {
    name: "console-text",
    attack: "A page logs more text than a string can hold to the console.",
    severity: "critical",
    script: (n) => `const s = "x".repeat(${6e7 * n}); console.log(s,s,s,s,s,s,s,s,s,s);`,
  },
  {
    name: "console-escapes",
    attack:
      "A page logs control characters, which the browser's protocol writes six times as long.",
    severity: "critical",
    script: (n) => `console.log("\\u0001".repeat(${1.1e8 * n}));`,
  },
  {
    name: "console-many",
    attack: "A page logs forty times 20 MB to the console.",
    severity: "high",
    script: (n) =>
      `const s = "x".repeat(${2e7 * n}); for (let i = 0; i < 40; i++) console.log(i + s);`,
  },
  {
    name: "title-flood",
    attack: "A page makes its title and its text hundreds of megabytes long.",
    severity: "high",
    script: (n) => `const s = "x".repeat(${2e8 * n}); document.title = s; document.body.append(s);`,
  },
  {
    name: "memory-eater",
    attack: "A page allocates memory without end.",
    severity: "high",
    script: (n) =>
      `const all = []; const end = Date.now() + ${20_000 * n}; (function eat() { for (let i = 0; i < 20; i++) all.push(new Uint8Array(4e6).fill(1)); if (Date.now() < end) setTimeout(eat, 0); })();`,
  },
  {
    name: "endless-script",
    attack: "A page's script never ends.",
    severity: "high",
    script: () => "for (;;);",
  },
  {
    name: "endless-tree",
    attack: "A page adds elements without end.",
    severity: "high",
    script: (n) =>
      `const end = Date.now() + ${20_000 * n}; (function grow() { document.body.insertAdjacentHTML("beforeend", "<p>grown</p>".repeat(5e3)); if (Date.now() < end) setTimeout(grow, 0); })();`,
  },
  {
    name: "popup-storm",
    attack: "A page opens windows without end.",
    severity: "high",
    script: () =>
      `setInterval(() => { for (let i = 0; i < 20; i++) window.open(location.href + "popup" + i, "w" + Math.random()); }, 20);`,
  },
  {
    name: "dialog-storm",
    attack: "A page opens dialogs without end and asks before it is left.",
    severity: "medium",
    script: () =>
      `onbeforeunload = () => "stay"; setInterval(() => { alert("a"); confirm("b"); prompt("c"); print(); }, 10);`,
  },
  {
    name: "navigation-storm",
    attack: "A page navigates, reloads and pushes history without end.",
    severity: "medium",
    script: () =>
      `let i = 0; setInterval(() => { history.pushState({}, "", "?" + i++); if (i % 50 === 0) location.reload(); }, 5);`,
  },
  {
    name: "frame-storm",
    attack: "A page opens frames in frames without end.",
    severity: "high",
    script: () =>
      `setInterval(() => { for (let i = 0; i < 10; i++) { const f = document.createElement("iframe"); f.src = location.href + "frame" + Math.random(); document.body.append(f); } }, 20);`,
  },
];

export const browserFloods: readonly HostileCase[] = FLOODS.map(
  ({ name, attack, severity, script }) => ({
    name,
    attack,
    promise: "The server and its other pages go on; the scrape is answered in time.",
    severity,
    needs: ["browser"],
    budgetMs: 150_000,
    async run({ target, site, isSmall, peakMemory }) {
      const ran = site.serve("ran", "ran");
      const body = script(isSmall ? 0.1 : 1);
      const page = site.serve(
        "flood",
        `<!doctype html><title>Flood</title><body><main><p>A page with a script that takes too much of the machine.</p></main>
<script>fetch(${JSON.stringify(ran.url)}).finally(() => setTimeout(() => { ${body} }, 0));</script>`,
      );
      const [waitFor, timeoutMs] = isSmall ? [1_000, SMALL_TIMEOUT_MS] : [3_000, TIMEOUT_MS];
      const reply = await target.scrape(page.url, { waitFor }, timeoutMs);
      if (reply.status === 0) return broke(describeReply(reply));
      if (ran.requests() === 0)
        return skipped(`the target ran no script of the page: ${describeReply(reply)}`);
      const peak = peakMemory();
      if (peak !== undefined && peak > MEMORY_LIMIT_BYTES)
        return broke(`memory rose to ${Math.round(peak / 1024 ** 2)} MiB`);
      return held(`its script ran; ${describeReply(reply)}`);
    },
  }),
);
