// A run without a language model: what the walk is for, and what it says in the end.
import { findRowLinks } from "./row-links.ts";
import type { Fence } from "./fence.ts";
import type { Lead } from "./frontier.ts";
import { Gathered, type Fits, type Reading } from "./gather.ts";
import type { Journal } from "./journal.ts";
import { showPage, toStep, type PageNote, type PageReader } from "./read-page.ts";
import { EFFORTS, type Answer, type Finding, type KeptRun } from "./run.ts";
import { isFilled, isObject, targetOf, type ListTarget } from "./target.ts";
import { termsOf } from "./terms.ts";
import { joinTopic, readTopic, type PageTopic } from "./topic.ts";
import { walk, type Purpose, type Taken, type WalkReport } from "./walk.ts";
import type { AgentRunRecord } from "../store/agent-runs.ts";

export type ByRulesParts = {
  readonly reader: PageReader;
  readonly fits: Fits;
  readonly now: () => number;
};

export type RuleWork = {
  readonly run: AgentRunRecord;
  readonly journal: Journal;
  readonly starts: readonly string[];
  readonly fence: Fence;
  readonly tell: (answer: Answer) => Promise<void>;
};

const MINUTE_MS = 60_000;

/** Walks the sites of the run and puts together what its pages say. */
export async function workByRules(parts: ByRulesParts, work: RuleWork): Promise<Finding> {
  const kept = work.run.options as KeptRun;
  const { prompt, schema } = kept;
  const terms = termsOf(prompt, schema);
  const effort = EFFORTS[kept.effort ?? "medium"];
  const aim =
    schema === undefined ? aimAtTopic(parts, work, terms.topic) : aimAtSchema(parts, work, schema);
  const report = await walk(
    {
      starts: work.starts,
      terms: terms.words,
      fence: work.fence,
      effort,
      endsAt: work.run.createdAt + effort.minutes * MINUTE_MS,
      now: parts.now,
    },
    aim.purpose,
  );
  const answer = aim.answer();
  return { answer, warnings: warningsOf(report, answer, aim.isEmpty()) };
}

type Aim = {
  readonly purpose: Purpose;
  readonly answer: () => Answer;
  readonly isEmpty: () => boolean;
};

function aimAtTopic(parts: ByRulesParts, work: RuleWork, topic: readonly string[]): Aim {
  const pages: PageTopic[] = [];
  const answer = (): Answer => joinTopic(pages, topic);
  return {
    answer,
    isEmpty: () => pages.every(({ passages, tables }) => passages.length + tables.length === 0),
    purpose: {
      read: (lead) => readStep(parts, work, lead, []),
      take(note) {
        if (note.statusCode >= 400) return NOTHING;
        const found = readTopic(note, topic);
        pages.push(found);
        const best = Math.max(0, ...found.passages.map(({ score }) => score));
        const gain = found.passages.length + found.tables.length === 0 ? 0 : Math.min(1, best / 3);
        return { gain, rowLinks: new Map(), isFruitful: gain > 0.5 };
      },
      isComplete: () => false,
      tell: () => work.tell(answer()),
    },
  };
}

const NOTHING: Taken = { gain: 0, rowLinks: new Map(), isFruitful: false };

function aimAtSchema(
  parts: ByRulesParts,
  work: RuleWork,
  schema: Readonly<Record<string, unknown>>,
): Aim {
  const { prompt } = work.run.options as KeptRun;
  const target = targetOf(schema);
  const gathered = new Gathered(target);
  const [list] = target.lists;
  const whole = { type: "json", schema: target.schema, prompt };
  const item = list === undefined ? undefined : { type: "json", schema: list.item, prompt };
  return {
    answer: () => gathered.answer(parts.fits),
    isEmpty: () => gathered.isEmpty,
    purpose: {
      read: (lead) => readStep(parts, work, lead, item === undefined ? [whole] : [whole, item]),
      take: (note, lead) => takePage(gathered, note, lead),
      isComplete: () => gathered.isComplete,
      tell: () => work.tell(gathered.answer(parts.fits)),
    },
  };
}

/** The first of `outputs` is read with the page, each further one over the same page once more. */
async function readStep(
  { reader }: ByRulesParts,
  { run, journal, fence }: RuleWork,
  lead: Lead,
  outputs: readonly object[],
): Promise<PageNote> {
  const [first, ...further] = outputs;
  const formats = first === undefined ? [] : [first];
  const mostCredits = reader.highestPrice(formats);
  return await journal.step(
    { tool: "scrape", input: { url: lead.url, reason: reasonOf(lead) }, mostCredits },
    async (signal) => {
      const page = await reader.read({
        url: lead.url,
        formats,
        further: further.map((output) => [output]),
        run,
        fence,
        signal,
      });
      const found = page.note.documents.map(({ json }) => json).filter(isFilled);
      return toStep(page, { ...showPage(page.note), ...(found.length === 0 ? {} : { found }) });
    },
  );
}

const REASONS = {
  given: "given by the request",
  next: "goes on with a list",
  row: "the page of a row that was found",
  link: "a promising link",
} as const;
const reasonOf = ({ role, text }: Lead): string =>
  text === "" ? REASONS[role] : `${REASONS[role]}: ${text}`;

function takePage(gathered: Gathered, note: PageNote, lead: Lead): Taken {
  if (note.statusCode >= 400) return NOTHING;
  const [whole, item] = note.documents.map(({ json }) => json);
  const reading: Reading = { page: note, value: whole, isSure: true };
  const [list] = gathered.target.lists;
  if (list === undefined || item === undefined) {
    const { gain } = gathered.addPage(reading);
    return { gain, rowLinks: new Map(), isFruitful: gain > 0 };
  }
  const detail: Reading = { page: note, value: item, isSure: true };
  let gain = 0;
  if (lead.role === "row" && isRecord(item, list)) {
    for (const index of lead.rows ?? []) gain += gathered.fillRow(0, index, item, detail);
    if (gain > 0 || isKnownRow(gathered, lead, item)) return { ...NOTHING, gain };
  }
  const gained = gathered.addPage(reading);
  gain += gained.gain;
  if (gained.rows.length === 0 && lead.depth > 0 && isRecord(item, list))
    gain += gathered.addRow(0, item, detail)?.gain ?? 0;
  const rows = gathered.lists[0];
  const rowLinks =
    rows === undefined ? new Map<string, number[]>() : findRowLinks(rows, gained.rows, note);
  return { gain, rowLinks, isFruitful: gained.rows.length > 0 };
}

/** Enough of a row is said by the page for it to be the page of one. */
function isRecord(item: unknown, { fields }: ListTarget): item is Record<string, unknown> {
  if (!isObject(item)) return false;
  const filled = fields.filter((field) => isFilled(item[field])).length;
  return filled >= Math.min(2, fields.length) && filled * 3 >= fields.length;
}

function isKnownRow(gathered: Gathered, { rows = [] }: Lead, item: object): boolean {
  return rows.some((index) => gathered.lists[0]?.contradicts(index, { ...item }) === false);
}

const MOST_NAMED = 8;

function warningsOf(report: WalkReport, answer: Answer, isEmpty: boolean): string[] {
  const { pages, failures, cut } = report;
  const count = `${pages} ${pages === 1 ? "page" : "pages"}`;
  const warnings = [
    `No language model was used: ${count} were read by rules, and what they do not say in so many words was not understood.`,
  ];
  if (isEmpty) warnings.push("Nothing of what was asked for was found.");
  else if (answer.unfilled.length > 0)
    warnings.push(`No page gave a value for ${named(answer.unfilled)}.`);
  if (!answer.valid) warnings.push("The data does not fit the schema in every point.");
  if (cut === "pages")
    warnings.push(`The walk ended at ${count}, as many as effort allows; more were promising.`);
  if (cut === "time") warnings.push("The walk ended because its time was over.");
  if (failures.length > 0)
    warnings.push(
      `${failures.length} could not be read: ${named(failures.map(({ url, error }) => `${url} (${error})`))}.`,
    );
  return warnings;
}

const named = (things: readonly string[]): string =>
  things.slice(0, MOST_NAMED).join(", ") +
  (things.length > MOST_NAMED ? ` and ${things.length - MOST_NAMED} more` : "");
