// Runs another tool over JSON lines for the scorers: {id, url, html} in, {id, markdown, ms, cpu}
// out. node bench/eval/peer-lines.ts readability | turndown | mdream | defuddle
import { createInterface } from "node:readline";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";
import { loadMdream } from "../mdream.ts";

type Page = { readonly id: string; readonly url?: string; readonly html: string };
type Peer = (page: Page) => string | Promise<string>;

const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
turndown.use(gfm);

const PEERS: Readonly<Record<string, () => Peer | Promise<Peer>>> = {
  readability: () => (page) => {
    const article = new Readability(parseHTML(page.html).document as never).parse();
    return turndown.turndown(article?.content ?? "");
  },
  turndown: () => (page) => turndown.turndown(parseHTML(page.html).document.body as never),
  mdream: async () => {
    const toMarkdown = await loadMdream();
    if (toMarkdown === undefined) process.exit(1);
    return (page) => toMarkdown(page.html);
  },
  defuddle: () => async (page) => {
    const { document } = parseHTML(page.html);
    return turndown.turndown((await Defuddle(document, page.url ?? "")).content);
  },
};

const make = PEERS[process.argv[2] ?? ""];
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
