// Learns the templates of a job while it runs: the model points at the values of the first pages of
// each template, all others are replayed. It is called again only for a new template or a low
// confidence.
import { v7 } from "uuid";
import type { ExtractorProgram } from "../contract/extractors/program.ts";
import type { Deadline } from "../deadline.ts";
import type { LearnPage, ReplayOutput } from "../formats/threads/learn-extractor.ts";
import type { FormatPool } from "../formats/threads/pool.ts";
import type { Logger } from "../logger.ts";
import type { LearnTemplates, TemplateResult, TemplateTask } from "../scrape/learn-templates.ts";
import type { ExtractorStore } from "../store/accounts/extractors.ts";
import { NEW_HEALTH } from "./health.ts";
import type { PointAtValues } from "./point-at-values.ts";

export type LearnTemplatesParts = {
  readonly pool: Pick<FormatPool, "learn" | "replay">;
  readonly pointAtValues: PointAtValues;
  readonly modelName: string;
  readonly store: () => Promise<{ readonly extractors: ExtractorStore }>;
  readonly log: Logger;
};

/** Pages of a template for the model before its program is replayed. */
const MIN_SAMPLES = 2;
/**
 * Maximum pages of a template for the model: further doubtful pages are replayed with the existing
 * program.
 */
const MAX_SAMPLES = 5;
const MIN_CONFIDENCE = 0.5;
const MAX_TEMPLATES = 20;
const MAX_JOBS = 20;

type Template = {
  readonly id: string;
  readonly samples: LearnPage[];
  program: ExtractorProgram;
  version: number;
};

/**
 * Learning state of one job. Pages for the model wait for each other: the first ones may share a
 * template.
 */
type Job = { readonly templates: Template[]; turn: Promise<unknown> };

export function createLearnTemplates(parts: LearnTemplatesParts): LearnTemplates {
  const jobs = new Map<string, Job>();

  function buildJob({ jobId, format }: TemplateTask): Job {
    const key = `${jobId} ${JSON.stringify(format.schema)} ${format.prompt ?? ""}`;
    const job = jobs.get(key) ?? { templates: [], turn: Promise.resolve() };
    // Ordered by use; the least recently used job is evicted.
    jobs.delete(key);
    jobs.set(key, job);
    const [oldest] = jobs.keys();
    if (jobs.size > MAX_JOBS && oldest !== undefined) jobs.delete(oldest);
    return job;
  }

  return async (task, deadline) => {
    const job = buildJob(task);
    const found = await replay(parts, job, task, deadline);
    if (found !== undefined && isEnough(found)) return toResult(found, task);
    const turn = job.turn.then(() => learnNext(parts, job, task, deadline));
    job.turn = turn.catch(() => undefined);
    return await deadline.race(turn);
  };
}

type FoundTemplates = { readonly template: Template; readonly result: NonNullable<ReplayOutput> };

const isEnough = ({ template, result }: FoundTemplates): boolean =>
  template.samples.length >= MIN_SAMPLES &&
  (result.confidence >= MIN_CONFIDENCE || template.samples.length >= MAX_SAMPLES);

async function replay(
  { pool }: LearnTemplatesParts,
  { templates }: Job,
  { html, url }: TemplateTask,
  deadline: Deadline,
): Promise<FoundTemplates | undefined> {
  if (templates.length === 0) return undefined;
  const programs = templates.map(({ program }) => program);
  const result = await pool.replay({ html, url, programs }, deadline);
  const template = result === undefined ? undefined : templates[result.at];
  return result === undefined || template === undefined ? undefined : { template, result };
}

async function learnNext(
  parts: LearnTemplatesParts,
  job: Job,
  task: TemplateTask,
  deadline: Deadline,
): Promise<TemplateResult> {
  deadline.check();
  // Another page may have added the template meanwhile.
  const known = await replay(parts, job, task, deadline);
  if (known !== undefined && isEnough(known)) return toResult(known, task);
  if (known === undefined && job.templates.length >= MAX_TEMPLATES)
    return skipTemplate(`the job has pages of more than ${MAX_TEMPLATES} templates`);
  const { html, url, format } = task;
  const { schema, prompt } = format;
  const { pages, usage } = await parts.pointAtValues(
    { pages: [{ html, url }], schema, prompt },
    deadline,
  );
  const asked = { model: parts.modelName, usage };
  const samples = [...(known?.template.samples ?? []), ...pages];
  const { program, problems } = await parts.pool.learn({ pages: samples, schema }, deadline);
  if (program === undefined) {
    const reason = problems.map(({ field, detail }) => `${field}: ${detail}`).join("; ");
    return known === undefined
      ? { ...skipTemplate(reason.slice(0, 300)), asked }
      : { ...toResult(known, task), asked };
  }
  const template = known?.template ?? { id: v7(), samples: [], program, version: 0 };
  template.samples.splice(0, template.samples.length, ...samples);
  template.program = program;
  template.version += 1;
  if (known === undefined) job.templates.push(template);
  await save(parts, template, task);
  const found = await replay(parts, { ...job, templates: [template] }, task, deadline);
  return found === undefined
    ? { ...skipTemplate("its values could not be read again"), asked }
    : { ...toResult(found, task), asked };
}

const skipTemplate = (reason: string): TemplateResult => ({
  json: null,
  warnings: [`json: the template was not learned: ${reason}.`],
});

function toResult({ template, result }: FoundTemplates, { format }: TemplateTask): TemplateResult {
  const { value = null, evidence, missing, templateMatch, confidence } = result;
  const names = Object.keys(missing);
  return {
    json: value,
    ...(format.evidence
      ? {
          jsonEvidence: Object.fromEntries(
            Object.entries(evidence).map(([pointer, { position, ...rest }]) => [
              pointer,
              {
                source: "extractor",
                ...rest,
                ...(position === undefined ? {} : { position: [...position] as [number, number] }),
              },
            ]),
          ),
        }
      : {}),
    extraction: {
      extractor: template.id,
      version: template.version,
      templateMatch,
      confidence,
      missing,
    },
    warnings:
      names.length === 0
        ? []
        : [`json: not filled by the learned extractor: ${names.slice(0, 10).join(", ")}.`],
  };
}

/** Saves the learned templates as an extractor of the account. A failure loses only that. */
async function save(
  { store, log }: LearnTemplatesParts,
  { id, program, version }: Template,
  { identity, format: { schema, prompt }, url, mayStore }: TemplateTask,
): Promise<void> {
  if (!mayStore) return;
  try {
    const { extractors } = await store();
    const updatedAt = Date.now();
    if (version > 1) {
      await extractors.update(identity.accountId, id, (record) => ({
        ...record,
        program,
        version,
        updatedAt,
      }));
      return;
    }
    await extractors.create({
      id,
      accountId: identity.accountId,
      name: URL.parse(url)?.hostname ?? "extractor",
      source: "model",
      version,
      state: "ready",
      program,
      request: { schema, prompt, relearn: false },
      health: NEW_HEALTH,
      createdAt: updatedAt,
      updatedAt,
    });
  } catch (error) {
    log.error({ err: error, extractor: id }, "failed to store a learned extractor");
  }
}
