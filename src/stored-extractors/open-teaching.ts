// The model as a teacher of extractors: it points at the values of pages, on request and while jobs
// run.
import type { FormatPool } from "../formats/threads/pool.ts";
import type { Logger } from "../logger.ts";
import type { Models } from "../models/model.ts";
import type { LearnTemplates } from "../scrape/learn-templates.ts";
import type { ExtractorStore } from "../store/accounts/extractors.ts";
import { createLearnTemplates } from "./learn-templates.ts";
import { createPointAtValues, type PointAtValues } from "./point-at-values.ts";

export type TeachingParts = {
  readonly models: Pick<Models, "role" | "inputTokens">;
  readonly store: () => Promise<{ readonly extractors: ExtractorStore }>;
  readonly log: Logger;
};

export type TeachingSession = {
  readonly pointAtValues: (pool: FormatPool) => PointAtValues;
  readonly learnTemplates: (pool: FormatPool) => LearnTemplates;
};

/** Undefined without a model. */
export function openTeaching({ models, store, log }: TeachingParts): TeachingSession | undefined {
  const model = models.role("smart");
  if (model === undefined) return undefined;
  const pointAtValues = (pool: FormatPool): PointAtValues =>
    createPointAtValues(model, models.inputTokens, pool);
  return {
    pointAtValues,
    learnTemplates: (pool) =>
      createLearnTemplates({
        pool,
        pointAtValues: pointAtValues(pool),
        modelName: model.name,
        store,
        log,
      }),
  };
}
