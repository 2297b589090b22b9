// The formats with structured data: json by rules and a model, deterministicJson by the same rules
// alone.
import type { Document } from "../contract/page/document.ts";
import type { FormatOf } from "../contract/page/formats.ts";
import { TargetError } from "../errors.ts";
import type { DerivedDocument } from "./derivation.ts";
import type { Derive, FormatDeclaration } from "./format.ts";
import type { JsonDraft } from "./json/draft/json-draft.ts";
import { escape } from "../runtime/json-schema/pointer.ts";
import { isEnough } from "./json/draft/is-enough.ts";
import { askForData } from "./json/model/with-model.ts";
import { findInjection } from "./model/page-as-data.ts";
import { NO_MODEL, type ModelContext, type UnderstoodFields } from "./model/understanding.ts";

type JsonFormat = "json" | "deterministicJson";

async function loadDraft(): Promise<Derive<JsonFormat>> {
  const { readText } = await import("../html/parse/tree.ts");
  const { draftFrom, collectFindings } = await import("./json/draft/draft.ts");
  const { toModelPage } = await import("./model/model-page.ts");
  const { replayExtractor } = await import("./json/replay-extractor.ts");
  return (view, format) => {
    if (format.type === "json" && format.extractor !== undefined)
      return replayExtractor(view, format);
    // All text that a model could read, including hidden parts.
    if (format.type === "json" && format.checkPromptInjection)
      view.injection = findInjection(
        view.kind === "html" ? readText(view.getDocument()) : view.text,
      );
    const findings = collectFindings(view);
    const draft = draftFrom(findings, format);
    view.jsonDraft = draft;
    const isRead = view.input.reads === true && format.type === "json" && !isEnough(format, draft);
    // With excluded elements, the model reads the content as Markdown, which is made at the end.
    if (isRead && view.kind === "html" && view.input.file === undefined && !view.isLimited())
      view.modelPage = toModelPage(findings, { base: view.getBase() }, view.getCounter());
    else if (isRead) view.needsModelText = true;
    return draft.value === undefined ? {} : { json: draft.value };
  };
}

export const json: FormatDeclaration<"json"> = {
  name: "json",
  needs: [],
  blank: { json: null },
  // An extractor uses no model and no rules: its pages cost the same as a scrape.
  price: ({ extractor }) => (extractor === undefined ? "json" : undefined),
  derive: loadDraft,
  understand: {
    makes: "json",
    fallback: "Values found by rules are returned instead.",
    check(derived, { checkPromptInjection }) {
      if (!checkPromptInjection) return;
      const injection = derived.injection ?? findInjection(derived.reading?.markdown ?? "");
      if (injection !== undefined)
        throw new TargetError(
          "SCRAPE_PROMPT_INJECTION_DETECTED",
          `The page contains a prompt injection: "${injection}".`,
        );
    },
    withoutModel(derived, format) {
      if (format.extractor !== undefined) return {};
      const { fields, warnings } = fillByRules(derived, format);
      const reason = `${NO_MODEL}: json was made by rules from the page's own data, labels and lists.`;
      return { fields, warnings: [reason, ...warnings] };
    },
    withModel: ask,
    afterFailure: (derived, format) => ({
      fields: buildEvidenceFields(format, derived.draft?.evidence),
      warnings: findGaps(derived),
    }),
  },
};

export const deterministicJson: FormatDeclaration<"deterministicJson"> = {
  name: "deterministicJson",
  needs: [],
  blank: { json: null },
  price: () => "deterministicJson",
  derive: loadDraft,
  understand: { makes: "json", withoutModel: fillByRules },
};

async function ask(
  { model, inputTokens, derived, deadline }: ModelContext,
  task: FormatOf<"json">,
): Promise<UnderstoodFields> {
  if (task.extractor !== undefined) return {};
  const { draft, reading, modelPage } = derived;
  if (draft === undefined || modelPage === undefined || isEnough(task, draft))
    return { fields: buildEvidenceFields(task, draft?.evidence) };
  const text = reading?.markdown ?? "";
  const request = { task, draft, text, page: modelPage, inputTokens };
  const { value, evidence, warnings, usage } = await askForData(model, request, deadline);
  return { fields: { json: value, ...buildEvidenceFields(task, evidence) }, warnings, usage };
}

function fillByRules(
  derived: DerivedDocument,
  format: FormatOf<JsonFormat>,
): Required<Pick<UnderstoodFields, "fields" | "warnings">> {
  const warnings = findGaps(derived);
  const { schema, prompt = "" } = format;
  if (prompt.trim() !== "")
    warnings.push(
      schema === undefined
        ? "json: only field names in the prompt were used."
        : "json: the prompt was ignored; only the schema was used.",
    );
  return { fields: buildEvidenceFields(format, derived.draft?.evidence), warnings };
}

function buildEvidenceFields(
  { evidence: isWanted }: FormatOf<JsonFormat>,
  evidence: object = {},
): Pick<Partial<Document>, "jsonEvidence"> {
  return isWanted ? { jsonEvidence: evidence as NonNullable<Document["jsonEvidence"]> } : {};
}

/** Messages for values that the rules did not find or could not use. */
function findGaps({ draft }: DerivedDocument): string[] {
  if (draft === undefined) return [];
  const gaps: string[] = [];
  if (draft.value === undefined) gaps.push("json: no matching data was found.");
  else if (draft.missing.length > 0)
    gaps.push(
      `json: not filled: ${draft.missing
        .slice(0, 30)
        .map((name) => withReason(name, draft))
        .join(", ")}.`,
    );
  if (draft.dropped.length > 0)
    gaps.push(
      `json: dropped values that do not fit the schema: ${draft.dropped.slice(0, 10).join("; ")}.`,
    );
  if (draft.incomplete.length > 0)
    gaps.push(
      `json: required values are missing on the page: ${draft.incomplete.slice(0, 10).join("; ")}.`,
    );
  return gaps;
}

function withReason(name: string, { reasons }: JsonDraft): string {
  const reason = reasons[`/${escape(name)}`];
  return reason === undefined ? name : `${name} (${reason})`;
}
