// Another tool over JSON lines, as the scorers want it: {id, url, html} in, {id, markdown, ms, cpu} out.
//   node bench/eval/peer-lines.ts readability | turndown | mdream | defuddle [--peers FOLDER]
// defuddle is not installed with the project: FOLDER is where `npm install --omit=optional --prefix FOLDER defuddle turndown linkedom` put it.
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { htmlToMarkdown } from "mdream";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";

type Page = { readonly id: string; readonly url?: string; readonly html: string };
type Peer = (page: Page) => string | Promise<string>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: "string" } },
});

const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
turndown.use(gfm);

const PEERS: Readonly<Record<string, () => Promise<Peer> | Peer>> = {
  readability: () => (page) => {
    const article = new Readability(parseHTML(page.html).document as never).parse();
    return turndown.turndown(article?.content ?? "");
  },
  turndown: () => (page) => turndown.turndown(parseHTML(page.html).document.body as never),
  mdream: () => (page) => htmlToMarkdown(page.html),
  async defuddle() {
    const file = path.resolve(values.peers ?? ".", "node_modules/defuddle/dist/node.js");
    const { Defuddle } = (await import(pathToFileURL(file).href)) as {
      Defuddle: (document: unknown, url: string) => Promise<{ readonly content: string }>;
    };
    return async (page) => {
      const { document } = parseHTML(page.html);
      return turndown.turndown((await Defuddle(document, page.url ?? "")).content);
    };
  },
};

const make = PEERS[positionals[0] ?? ""];
if (make === undefined) throw new Error(`usage: peer-lines ${Object.keys(PEERS).join(" | ")}`);
const peer = await make();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "") continue;
  const page = JSON.parse(line) as Page;
  const before = process.cpuUsage();
  let markdown = "";
  let error: string | undefined;
  try {
    markdown = await peer(page);
  } catch (cause) {
    error = String(cause).slice(0, 200);
  }
  const used = process.cpuUsage(before);
  const cpu = (used.user + used.system) / 1000;
  const answer = { id: page.id, markdown, ms: cpu, cpu, error };
  process.stdout.write(`${JSON.stringify(answer).replace(/[\u2028\u2029]/g, " ")}\n`);
}
