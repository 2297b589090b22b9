// A run without a language model: the purpose of the walk and its final answer.
import { TargetError } from "../../errors.ts";
import type { Lead } from "./frontier.ts";
import { Accumulator } from "../answer/accumulator.ts";
import { showPage, toStep, type PageNote, type PageReader } from "../pages/read-page.ts";
import { EFFORTS, type Answer, type Finding, type StoredRun } from "../run.ts";
import { MAX_DETAILED, NOTHING, processPage } from "./process-page.ts";
import { isFilled, relax, compileTarget } from "../answer/target.ts";
import { extractTerms } from "../answer/terms.ts";
import { judge, PageLabels } from "./rules-verdict.ts";
import { readPromptWords } from "./prompt-words.ts";
import { joinTopic, readTopic, type PageTopic } from "./topic.ts";
import { walk, type Purpose, type WalkReport } from "./walk.ts";
import type { AgentRunContext } from "../agent-run-context.ts";

export type ByRulesParts = {
  readonly reader: PageReader;
  readonly now: () => number;
};

const MINUTE_MS = 60_000;

/** Walks the sites of the run and merges what its pages say. */
export async function runByRules(parts: ByRulesParts, work: AgentRunContext): Promise<Finding> {
  const kept = work.run.options as StoredRun;
  const { prompt, schema } = kept;
  const terms = extractTerms(prompt, schema);
  const effort = EFFORTS[kept.effort ?? "medium"];
  const goal =
    schema === undefined
      ? createTopicGoal(parts, work, terms.topic)
      : createSchemaGoal(parts, work, schema);
  const report = await walk(
    {
      starts: work.starts,
      terms: terms.words,
      scope: work.scope,
      effort,
      endsAt: work.run.createdAt + effort.minutes * MINUTE_MS,
      now: () => (work.journal.recalls ? work.run.createdAt : parts.now()),
    },
    goal.purpose,
  );
  const [failure] = report.failures;
  if (report.pages === 0 && failure !== undefined)
    throw new TargetError("SCRAPE_SITE_ERROR", `No page could be read: ${failure.error}`);
  const answer = goal.answer();
  const warnings = listWarnings(report, answer);
  const leftOut = goal.leftOut();
  if (leftOut > 0)
    warnings.push(
      `${leftOut} rows were left out because they lack fields that the schema requires.`,
    );
  const lacks = goal.lacks(answer);
  if (lacks.length > 0) return { answer, warnings, needsModel: needsModel(goal.found(), lacks) };
  return { answer, warnings };
}

const needsModel = (found: string, lacks: readonly string[]): string =>
  `This request needs a language model, and the server has none: set QUARRY_MODEL. ${lacks.join(" ")} Without a model, ${found} Nothing is charged; what was found is in partial.`;

type Goal = {
  readonly purpose: Purpose;
  readonly answer: () => Answer;
  /** Rows left out of the answer because they lack required fields. */
  readonly leftOut: () => number;
  /** Reasons why the rules cannot complete the run, as sentences. */
  readonly lacks: (answer: Answer) => string[];
  /** Result of the rules, as the end of a sentence. */
  readonly found: () => string;
};

function createTopicGoal(
  parts: ByRulesParts,
  work: AgentRunContext,
  topic: readonly string[],
): Goal {
  const pages: PageTopic[] = [];
  const answer = (): Answer => joinTopic(pages, topic);
  return {
    answer,
    leftOut: () => 0,
    lacks: () => [
      "Without a schema, the rules can find passages about the topic but not tell whether they answer the request. Add a schema that names the fields.",
    ],
    found: () => {
      const passages = pages.reduce((sum, page) => sum + page.passages.length, 0);
      const tables = pages.reduce((sum, page) => sum + page.tables.length, 0);
      return `${formatCount(passages, "passage")} and ${formatCount(tables, "table")} about the topic were found.`;
    },
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

function createSchemaGoal(
  parts: ByRulesParts,
  work: AgentRunContext,
  schema: Readonly<Record<string, unknown>>,
): Goal {
  const { prompt } = work.run.options as StoredRun;
  const target = compileTarget(schema);
  const words = readPromptWords(prompt, target);
  const labels = new PageLabels(words);
  const accumulator = new Accumulator(target);
  const asked = [target.schema, ...target.lists.slice(0, MAX_DETAILED).map(({ item }) => item)];
  const outputs = asked.map((one) => ({
    type: "json",
    schema: relax(one),
    prompt,
    evidence: true,
  }));
  return {
    answer: () => accumulator.answer(true),
    leftOut: () => accumulator.leftOut,
    lacks: (answer) =>
      judge({
        answer,
        words,
        unexplained: labels.listUnexplained(),
        hasLists: target.lists.length > 0,
        isUnnamed: target.isWrapped && target.given["title"] === undefined,
        isEmpty: !isFilled(answer.value),
        disputed: accumulator.disputed,
      }),
    found: () => describeFind(accumulator),
    purpose: {
      // Look-ups are answered from tables too.
      read: (lead) => readStep(parts, work, lead, outputs, target.values.length > 0),
      take(note, lead) {
        const taken = processPage(accumulator, note, lead, words);
        if (note.statusCode < 400) labels.add(note, lead.depth === 0, taken.rowsUnder);
        return taken;
      },
      isComplete: () => accumulator.isComplete,
      tell: () => work.tell(accumulator.answer(false)),
    },
  };
}

/**
 * The first of `outputs` is read with the page. Each further one is derived from the same page
 * again.
 */
async function readStep(
  { reader }: ByRulesParts,
  { run, journal, scope }: AgentRunContext,
  lead: Lead,
  outputs: readonly object[],
  tables = false,
): Promise<PageNote> {
  const [first, ...further] = outputs;
  const formats = first === undefined ? [] : [first];
  const maxCredits = reader.highestPrice(formats);
  return await journal.runStep(
    { tool: "scrape", input: { url: lead.url, reason: describeReason(lead) }, maxCredits },
    async (signal) => {
      const page = await reader.read({
        url: lead.url,
        formats,
        further: further.map((output) => [output]),
        tables,
        run,
        scope,
        signal,
      });
      const found = page.note.documents.map(({ json }) => json).filter(isFilled);
      // Their pages are read by the json format; here only tables of several rows are of use.
      const kept = tables ? { ...page, note: omitPageValues(page.note) } : page;
      return toStep(kept, { ...showPage(page.note), ...(found.length === 0 ? {} : { found }) });
    },
  );
}

const MAX_TABLE_ROWS = 500;

const omitPageValues = (note: PageNote): PageNote => ({
  ...note,
  tables: (note.tables ?? []).filter(
    ({ ref, rows }) => ref !== "page" && rows.length <= MAX_TABLE_ROWS,
  ),
});

const REASONS = {
  given: "given by the request",
  found: "found by the search",
  next: "goes on with a list",
  page: "the next page",
  row: "the page of a row that was found",
  link: "a promising link",
} as const;
const describeReason = ({ role, text }: Lead): string =>
  text === "" ? REASONS[role] : `${REASONS[role]}: ${text}`;

const MAX_NAMED = 8;

/** "12 rows of staff were found." */
function describeFind({ target, lists, isEmpty }: Accumulator): string {
  if (isEmpty) return "nothing was found.";
  const counts = lists.map(({ rows }, list) => {
    const name = target.lists[list]?.path.at(-1) ?? "";
    return `${rows.length} rows${name === "" ? "" : ` of ${name}`}`;
  });
  return `${counts.length === 0 ? "some values" : counts.join(" and ")} were found.`;
}

const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

function listWarnings(report: WalkReport, answer: Answer): string[] {
  const { pages, failures, cut } = report;
  const count = formatCount(pages, "page");
  const warnings = [
    `No language model was used: rules read ${count} and extracted only explicitly stated values.`,
  ];
  if (answer.unfilled.length > 0)
    warnings.push(`No page gave a value for ${listNames(answer.unfilled)}.`);
  if (!answer.valid) warnings.push("The data does not fully match the schema.");
  if (cut === "pages")
    warnings.push(
      `The run stopped after ${count}, the limit of this effort; more pages looked promising.`,
    );
  if (cut === "time") warnings.push("The run reached its time limit.");
  if (failures.length > 0)
    warnings.push(
      `${failures.length} could not be read: ${listNames(failures.map(({ url, error }) => `${url} (${error})`))}.`,
    );
  return warnings;
}

const listNames = (things: readonly string[]): string =>
  things.slice(0, MAX_NAMED).join(", ") +
  (things.length > MAX_NAMED ? ` and ${things.length - MAX_NAMED} more` : "");
