// Structured extraction from the pages of test/understanding/tasks, and agent runs over its sites,
// through the public API:
//   npm run eval:tasks -- [--set tasks|fresh] [--only pages|agent] [--task TEXT] [--verbose] [--missing] [--out FILE]
// The set `fresh` is held out: only its totals are shown.
// Without QUARRY_MODEL the rules answer. --verbose lists wrong and invented values, --missing the
// values that were not given.
import { runOnServer } from "./run-on-server.ts";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { QuarryClient } from "../../client/client.ts";
import {
  SETS,
  readAgentTasks,
  readPageTasks,
  serveTasks,
  type AgentTask,
  type PageTask,
} from "./read-tasks.ts";
import {
  judge,
  computePrecision,
  computeRecall,
  countFindings,
  type ValueFinding,
} from "./score-values.ts";

type JsonSchema = Record<string, unknown>;
type Outcome = "solved" | "incomplete" | "honestly failed" | "completed with wrong rows";

const { values: flags } = parseArgs({
  options: {
    set: { type: "string", default: "tasks" },
    only: { type: "string" },
    task: { type: "string" },
    effort: { type: "string", default: "medium" },
    verbose: { type: "boolean", default: false },
    missing: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const set = SETS.find((name) => name === flags.set);
if (set === undefined) throw new Error(`--set must be one of ${SETS.join(", ")}`);
const isHeldOut = set === "fresh";
const isChosen = ({ id }: { readonly id: string }): boolean => id.includes(flags.task ?? "");
const formatShare = (share: number): string => (Number.isNaN(share) ? "–" : share.toFixed(3));
const records: unknown[] = [];

function printFindings(id: string, findings: readonly ValueFinding[]): void {
  for (const { path: place, verdict, truth, given } of findings) {
    const isShown =
      verdict === "missing" ? flags.missing : verdict === "wrong" || verdict === "invented";
    if (isShown)
      console.log(
        `  ${id} ${place}: ${verdict}, given ${JSON.stringify(given)}, truth ${JSON.stringify(truth)}`,
      );
  }
}

function printTable(groups: ReadonlyMap<string, readonly ValueFinding[]>): void {
  console.log(
    "category | right | missing | wrong | invented | rightly silent | precision | recall",
  );
  for (const [name, findings] of [...groups, ["all", [...groups.values()].flat()] as const]) {
    const counts = countFindings(findings);
    const { right, missing, wrong, invented, silent } = counts;
    const shares = [computePrecision(counts), computeRecall(counts)].map((share) =>
      formatShare(share),
    );
    console.log([name, right, missing, wrong, invented, silent, ...shares].join(" | "));
  }
}

/** Each task counts once, however many values it has. */
function printMean(tasks: readonly (readonly ValueFinding[])[]): void {
  const counts = tasks.map((findings) => countFindings(findings));
  const mean = (shares: readonly number[]): number => {
    const known = shares.filter((share) => !Number.isNaN(share));
    return known.reduce((sum, share) => sum + share, 0) / known.length;
  };
  const precision = formatShare(mean(counts.map((each) => computePrecision(each))));
  const recall = formatShare(mean(counts.map((each) => computeRecall(each))));
  console.log(`mean of tasks | | | | | | ${precision} | ${recall}`);
}

async function scorePage(
  client: QuarryClient,
  task: PageTask,
  base: string,
): Promise<ValueFinding[]> {
  const url = `${base}${task.path}`;
  const format = {
    type: "json" as const,
    schema: task.schema as JsonSchema,
    ...(task.prompt === undefined ? {} : { prompt: task.prompt }),
  };
  let given: unknown;
  try {
    const document = await client.scrape(url, { formats: [format] });
    given = document.json;
  } catch (error) {
    console.log(`  ${task.id} failed: ${String(error)}`);
  }
  const findings = judge(task.schema, task.truth, given, url);
  records.push({ id: task.id, given, findings });
  return findings;
}

async function scorePages(client: QuarryClient, tasks: readonly PageTask[]): Promise<void> {
  const site = await serveTasks(undefined, set);
  try {
    const groups = new Map<string, ValueFinding[]>();
    const all: ValueFinding[][] = [];
    for (const task of tasks) {
      const findings = await scorePage(client, task, site.url);
      all.push(findings);
      groups.set(task.category, [...(groups.get(task.category) ?? []), ...findings]);
      if (!isHeldOut && (flags.verbose || flags.missing)) printFindings(task.id, findings);
    }
    console.log(`${tasks.length} tasks over pages`);
    printTable(groups);
    printMean(all);
  } finally {
    site.close();
  }
}

/** A failed run counts as honest; a completed one is judged by its rows. */
function classifyOutcome(status: string, findings: readonly ValueFinding[]): Outcome {
  if (status !== "completed") return "honestly failed";
  const { missing, wrong, invented } = countFindings(findings);
  if (wrong + invented > 0) return "completed with wrong rows";
  return missing > 0 ? "incomplete" : "solved";
}

async function scoreRun(client: QuarryClient, task: AgentTask): Promise<Outcome> {
  const site = await serveTasks(task.site);
  try {
    const run = await client.agents.start(task.prompt, {
      urls: [`${site.url}${task.start}`],
      schema: task.schema as JsonSchema,
      effort: flags.effort as "medium",
    });
    const state = await run.wait();
    const findings = judge(task.schema, task.truth, state.data, site.url);
    const outcome = classifyOutcome(state.status, findings);
    records.push({ id: task.id, outcome, status: state.status, given: state.data, findings });
    console.log(`${task.id}: ${outcome} (${state.status}, ${state.creditsUsed} credits)`);
    if (flags.verbose && outcome === "completed with wrong rows") printFindings(task.id, findings);
    return outcome;
  } finally {
    site.close();
  }
}

async function scoreRuns(client: QuarryClient, tasks: readonly AgentTask[]): Promise<void> {
  const counts: Record<Outcome, number> = {
    solved: 0,
    incomplete: 0,
    "honestly failed": 0,
    "completed with wrong rows": 0,
  };
  for (const task of tasks) counts[await scoreRun(client, task)] += 1;
  const parts = Object.entries(counts).map(([outcome, count]) => `${outcome} ${count}`);
  console.log(`${tasks.length} agent prompts: ${parts.join(", ")}`);
}

const pageTasks = flags.only === "agent" ? [] : readPageTasks(set).filter(isChosen);
const agentTasks = flags.only === "pages" || isHeldOut ? [] : readAgentTasks().filter(isChosen);
if (pageTasks.length + agentTasks.length === 0) throw new Error("no task matches");
await runOnServer(async (client) => {
  if (pageTasks.length > 0) await scorePages(client, pageTasks);
  if (agentTasks.length > 0) await scoreRuns(client, agentTasks);
});
if (flags.out !== undefined && !isHeldOut)
  writeFileSync(flags.out, `${JSON.stringify(records, null, 1)}\n`);
