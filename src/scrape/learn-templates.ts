// `learn: true` of the json format as a step of a scrape: the first pages of each template go to
// the model, the rest is replayed.
import type { Identity } from "../account/identity.ts";
import type { Document } from "../contract/page/document.ts";
import { findFormat, type Format, type FormatOf } from "../contract/page/formats.ts";
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import { QuarryError } from "../errors.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { detectPageKind } from "../formats/page/page-kind.ts";
import { decodeText } from "../html/parse/charset.ts";
import type { ModelUsage } from "../models/model.ts";

export type TemplateTask = {
  readonly html: string;
  /** Final URL. */
  readonly url: string;
  /** The job that shares learned templates. */
  readonly jobId: string;
  readonly identity: Identity;
  readonly format: FormatOf<"json">;
  /** True if the result may be stored for the account. */
  readonly mayStore: boolean;
};

export type TemplateResult = Pick<Document, "json" | "jsonEvidence" | "extraction"> & {
  readonly warnings: readonly string[];
  /** Undefined for a page without a model call. */
  readonly asked?: { readonly model: string; readonly usage: ModelUsage } | undefined;
};

/** Returns the values of a page of a job. Throws the model's errors. */
export type LearnTemplates = (task: TemplateTask, deadline: Deadline) => Promise<TemplateResult>;

type Request = {
  readonly options: { readonly formats: readonly Format[]; readonly zeroDataRetention: boolean };
  readonly identity?: Identity | undefined;
  readonly tracking?: { readonly jobId?: string | undefined } | undefined;
  readonly deadline: Deadline;
};

export type LearnedPage = {
  readonly derived: DerivedDocument;
  /** Formats that still need understanding. */
  readonly formats: readonly Format[];
  /** Charged formats: a replayed page costs the same as a scrape. */
  readonly charged: readonly Format[];
};

const NEEDS_JOB = "json: learn has an effect on the pages of a crawl or batch only.";
const NEEDS_MODEL =
  "json: learn needs a language model (QUARRY_MODEL); each page was read by rules.";

export async function learnTemplates(
  learn: LearnTemplates | undefined,
  { options: { formats, zeroDataRetention }, identity, tracking, deadline }: Request,
  { capture, derived }: { readonly capture: Capture; readonly derived: DerivedDocument },
): Promise<LearnedPage> {
  const format = findFormat(formats, "json");
  const keepUnchanged = (warning?: string): LearnedPage => ({
    derived:
      warning === undefined ? derived : { ...derived, warnings: [...derived.warnings, warning] },
    formats,
    charged: formats,
  });
  if (format?.learn !== true || detectPageKind(capture.mimeType) !== "html") return keepUnchanged();
  const jobId = tracking?.jobId;
  if (jobId === undefined || identity === undefined) return keepUnchanged(NEEDS_JOB);
  if (learn === undefined) return keepUnchanged(NEEDS_MODEL);
  const { text: html } = decodeText(capture.body, capture.contentType, capture.mimeType);
  const rest = formats.filter(({ type }) => type !== "json");
  try {
    const { warnings, asked, ...fields } = await learn(
      { html, url: capture.finalUrl, jobId, identity, format, mayStore: !zeroDataRetention },
      deadline,
    );
    const metadata: DerivedDocument["metadata"] = { ...derived.metadata };
    if (asked !== undefined) {
      metadata["model"] = asked.model;
      Object.assign(metadata, {
        modelInputTokens: asked.usage.inputTokens,
        modelOutputTokens: asked.usage.outputTokens,
      });
    }
    return {
      derived: {
        ...derived,
        document: { ...derived.document, ...fields },
        warnings: [...derived.warnings, ...warnings],
        metadata,
      },
      formats: rest,
      charged: asked === undefined ? rest : formats,
    };
  } catch (error) {
    deadline.check();
    if (!(error instanceof QuarryError)) throw error;
    return keepUnchanged(`json: the template was not learned: ${error.message}`);
  }
}
