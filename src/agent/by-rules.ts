// A run without a language model: what the walk is for, and what it says in the end.
import { TargetError } from "../errors.ts";
import { plain, rowsInTables } from "./markdown-table.ts";
import { findRowLinks } from "./row-links.ts";
import { findEvidence } from "./evidence.ts";
import type { Lead } from "./frontier.ts";
import { Gathered, type Reading } from "./gather.ts";
import { showPage, toStep, type PageNote, type PageReader } from "./read-page.ts";
import { EFFORTS, type Answer, type Finding, type KeptRun, type Source } from "./run.ts";
import { isSame } from "./rows.ts";
import { isFilled, isObject, pointerOf, relax, setAt, targetOf, valueAt } from "./target.ts";
import { termsOf } from "./terms.ts";
import { joinTopic, readTopic, type PageTopic } from "./topic.ts";
import { walk, type Purpose, type Taken, type WalkReport } from "./walk.ts";
import type { RunWork } from "./run-work.ts";

export type ByRulesParts = {
  readonly reader: PageReader;
  readonly now: () => number;
};

const MINUTE_MS = 60_000;

/** Walks the sites of the run and puts together what its pages say. */
export async function workByRules(parts: ByRulesParts, work: RunWork): Promise<Finding> {
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
      now: () => (work.journal.recalls ? work.run.createdAt : parts.now()),
    },
    aim.purpose,
  );
  const [failure] = report.failures;
  if (report.pages === 0 && failure !== undefined)
    throw new TargetError("SCRAPE_SITE_ERROR", `No page could be read: ${failure.error}`);
  const answer = aim.answer();
  const warnings = warningsOf(report, answer, aim.isEmpty());
  const leftOut = aim.leftOut();
  if (leftOut > 0)
    warnings.push(`${leftOut} rows lack what the schema demands, and were left out.`);
  return { answer, warnings };
}

type Aim = {
  readonly purpose: Purpose;
  readonly answer: () => Answer;
  /** Rows that the answer does not have because they lack what the schema demands. */
  readonly leftOut: () => number;
  readonly isEmpty: () => boolean;
};

function aimAtTopic(parts: ByRulesParts, work: RunWork, topic: readonly string[]): Aim {
  const pages: PageTopic[] = [];
  const answer = (): Answer => joinTopic(pages, topic);
  return {
    answer,
    leftOut: () => 0,
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
  work: RunWork,
  schema: Readonly<Record<string, unknown>>,
): Aim {
  const { prompt } = work.run.options as KeptRun;
  const target = targetOf(schema);
  const gathered = new Gathered(target);
  const [list] = target.lists;
  const whole = { type: "json", schema: relax(target.schema), prompt, evidence: true };
  const item =
    list === undefined
      ? undefined
      : { type: "json", schema: relax(list.item), prompt, evidence: true };
  return {
    answer: () => gathered.answer(true),
    leftOut: () => gathered.leftOut,
    isEmpty: () => gathered.isEmpty,
    purpose: {
      read: (lead) => readStep(parts, work, lead, item === undefined ? [whole] : [whole, item]),
      take: (note, lead) => takePage(gathered, note, lead),
      isComplete: () => gathered.isComplete,
      tell: () => work.tell(gathered.answer(false)),
    },
  };
}

/** The first of `outputs` is read with the page, each further one over the same page once more. */
async function readStep(
  { reader }: ByRulesParts,
  { run, journal, fence }: RunWork,
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
  const [whole, single] = note.documents.map(({ json }) => json);
  const [wholePlaces, singlePlaces] = note.documents.map((document) => placesOf(document, note));
  const item = withName(single, gathered, note);
  const reading: Reading = { pages: [note], value: whole, places: wholePlaces ?? {} };
  const [list] = gathered.target.lists;
  if (list === undefined || item === undefined) {
    const { gain } = gathered.addPage(reading);
    return { gain, rowLinks: new Map(), isFruitful: gain > 0 };
  }
  const detail: Reading = {
    pages: [note],
    value: item,
    places: keptPlaces(singlePlaces, single, item),
  };
  let gain = 0;
  const isOne = isRecord(item, gathered, note);
  if (lead.role === "row" && isOne) {
    const isOf = (index: number): boolean => gathered.lists[0]?.contradicts(index, item) === false;
    const own = (lead.rows ?? []).filter(isOf);
    for (const index of own) gain += gathered.fillRow(0, index, item, detail);
    // The page of a row that turns out to be of a namesake.
    if (own.length === 0) gain += gathered.addRow(0, item, detail)?.gain ?? 0;
    return { ...NOTHING, gain };
  }
  const gained = gathered.addPage(withTables(gathered, reading));
  gain += gained.gain;
  if (gained.rows.length === 0 && lead.depth > 0 && isOne)
    gain += gathered.addRow(0, item, detail)?.gain ?? 0;
  const rows = gathered.lists[0];
  const rowLinks =
    rows === undefined ? new Map<string, number[]>() : findRowLinks(rows, gained.rows, note);
  return { gain, rowLinks, isFruitful: gained.rows.length > 0 };
}

/** Where the values of a page stand, as the rules that found them say: in its text where the words are there. */
function placesOf(
  { jsonEvidence = {} }: { readonly jsonEvidence?: unknown },
  { url, markdown }: PageNote,
): Record<string, Source> {
  const places: Record<string, Source> = {};
  for (const [pointer, evidence] of Object.entries(jsonEvidence as Record<string, unknown>)) {
    const { text } = evidence as { readonly text?: string };
    if (text === undefined || text === "") continue;
    places[pointer] = findEvidence(url, markdown, text) ?? { url, text };
  }
  return places;
}

/** Without those of values that are others by now. */
function keptPlaces(
  places: Readonly<Record<string, Source>> = {},
  before: unknown,
  after: unknown,
): Record<string, Source> {
  if (!isObject(before) || !isObject(after)) return { ...places };
  const changed = Object.keys(after).filter((field) => after[field] !== before[field]);
  return Object.fromEntries(
    Object.entries(places).filter(
      ([pointer]) => !changed.some((field) => pointer === pointerOf([field])),
    ),
  );
}

/** Where the rules found no list, the tables of the page whose columns are called as its fields. */
function withTables({ target, lists }: Gathered, reading: Reading): Reading {
  const [list] = target.lists;
  if (list === undefined || isFilled(valueAt(reading.value, list.path))) return reading;
  const [page] = reading.pages;
  const rows = rowsInTables(page?.markdown ?? "", list, lists[0]?.nameField);
  if (rows.length === 0) return reading;
  const value = isObject(reading.value) ? structuredClone({ ...reading.value }) : {};
  setAt(value, list.path, rows);
  return { ...reading, value };
}

/** Enough of a row is said by the page for it to be the page of one: besides what it is called, which every page is. */
function isRecord(
  item: unknown,
  gathered: Gathered,
  note: PageNote,
): item is Record<string, unknown> {
  const [list] = gathered.target.lists;
  const name = gathered.lists[0]?.nameField;
  if (!isObject(item) || list === undefined || name === undefined || !isFilled(item[name]))
    return false;
  const others = list.fields.filter(
    (field) =>
      field !== name &&
      isFilled(item[field]) &&
      ![item[name], ...headingsOf(note)].some((heading) => isSame(item[field], heading)),
  );
  return others.length >= Math.min(list.fields.length - 1, list.fields.length > 3 ? 2 : 1);
}

/** What a page says of one thing. Where its rules took a label such as "Title" for its name, its heading is the name. */
function withName(item: unknown, gathered: Gathered, note: PageNote): unknown {
  const [list] = gathered.target.lists;
  const name = gathered.lists[0]?.nameField;
  if (!isObject(item) || list === undefined || name === undefined) return item;
  const isTaken = list.fields.some(
    (field) => field !== name && isFilled(item[name]) && isSame(item[field], item[name]),
  );
  if (isFilled(item[name]) && !isTaken) return item;
  const [heading] = headingsOf(note);
  return heading === undefined ? item : { ...item, [name]: heading };
}

/** What a page is called: its heading, its title without the name of the site, its whole title. */
function headingsOf({ markdown, title }: PageNote): string[] {
  const [, heading = ""] = /^#\s+(.+)$/m.exec(markdown) ?? [];
  const short = title.split(/\s+[|–—·-]\s+/)[0] ?? "";
  return [plain(heading).trim(), short.trim(), title.trim()].filter((text) => text !== "");
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
