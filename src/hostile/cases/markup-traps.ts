// Markup that makes naive parsers quadratic or overflows their stack: deep, wide, unclosed,
// repeated. Passes if each page is answered in time.
import { broke, held, type HostileCase } from "../hostile-case.ts";
import { describeReply } from "../target.ts";

const TIMEOUT_MS = 30_000;

type Trap = readonly [name: string, attack: string, build: (count: number) => string];

const TRAPS: readonly Trap[] = [
  [
    "deep-tree",
    "elements nested in each other",
    (count) => `<p>Deep.</p>${"<div>".repeat(count)}end`,
  ],
  [
    "wide-tree",
    "elements beside each other",
    (count) => `<p>Wide.</p>${"<i>x</i>".repeat(count * 4)}`,
  ],
  [
    "deep-lists",
    "lists and quotes nested in each other",
    (count) => `${"<ul><li><blockquote>".repeat(count / 8)}end`,
  ],
  [
    "nested-tables",
    "tables nested in each other",
    (count) => `${"<table><tr><td>".repeat(count / 8)}end`,
  ],
  [
    "open-formatting",
    "formatting elements that are never closed",
    (count) => `<p>${"<b><i><a href=x>".repeat(count / 20)}<p>`.repeat(3),
  ],
  [
    "open-tags",
    "less-than signs and tags without an end",
    (count) => `<p>Text</p>${"<a ".repeat(count * 4)}`,
  ],
  [
    "open-comments",
    "comments without an end",
    (count) => `<p>Text</p>${"<!-- ".repeat(count * 4)}`,
  ],
  [
    "attributes",
    "one element with very many attributes",
    (count) =>
      `<p ${Array.from({ length: count }, (_, index) => `a${index}=1`).join(" ")}>Text</p>`,
  ],
  [
    "emphasis",
    "runs of characters that Markdown gives a meaning",
    (count) => `<p>${"*_`[".repeat(count * 2)}</p>`,
  ],
  ["white-space", "a run of white space", (count) => `<p>a${" \n\t".repeat(count * 8)}b</p>`],
  [
    "entities",
    "character references without an end",
    (count) => `<p>${"&amp&#x41&".repeat(count)}</p>`,
  ],
  [
    "links",
    "very many links",
    (count) =>
      Array.from(
        { length: count },
        (_, index) => `<a href="/x/${index}?a=${index}">link ${index}</a> `,
      ).join(""),
  ],
  ["one-word", "one word of megabytes", (count) => `<p>${"a".repeat(count * 40)}</p>`],
  [
    "selectors",
    "classes and ids that differ in every element",
    (count) =>
      Array.from(
        { length: count },
        (_, index) => `<div class="c${index} d${index}" id="i${index}">t</div>`,
      ).join(""),
  ],
];

export const markupTraps: readonly HostileCase[] = TRAPS.map(([name, attack, build]) => ({
  name: `markup-${name}`,
  attack: `A page has ${attack}.`,
  promise: "The page is answered within its time; other pages are read meanwhile.",
  severity: "medium",
  budgetMs: 90_000,
  async run({ target, site, isSmall }) {
    const html = `<!doctype html><title>Trap</title><body>${build(isSmall ? 20_000 : 100_000)}`;
    const page = site.serve("markup", html);
    const options = { formats: ["markdown", "html", "links"], onlyMainContent: true };
    const [reply, fault] = await Promise.all([
      target.scrape(page.url, options, TIMEOUT_MS),
      target.whyNotAlive(TIMEOUT_MS),
    ]);
    if (page.requests() === 0)
      return broke(`the page was never asked for: ${describeReply(reply)}`);
    if (reply.status === 0) return broke(describeReply(reply));
    if (fault !== undefined) return broke(`beside it ${fault}`);
    return held(`${html.length} characters: ${describeReply(reply)}`);
  },
}));
