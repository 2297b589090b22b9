// Fills the json format without a model from the page's own data, labels and lists. With a model it
// is a draft that saves the call or supplements it.
import type { PageView } from "../../page/view.ts";
import { mergeEvidence } from "../evidence/evidence-for.ts";
import { fillShape } from "./fill.ts";
import { toPlain } from "./plain.ts";
import { describeByPrompt } from "./prompt-figures.ts";
import type { JsonDraft, JsonTask } from "./json-draft.ts";
import { NO_FINDINGS, readFindings, type Findings } from "../declared/findings.ts";
import { findThingsInJson } from "../declared/from-json.ts";
import { findNamesInPrompt } from "../names/prompt-names.ts";
import { keepValid, summarizeFaults } from "../../../runtime/json-schema/keep-valid.ts";
import { readShape, buildShapeOfNames, type Shape } from "../../../runtime/json-schema/shape.ts";

/** Fills the schema or, without one, the names in the prompt, from the whole page. */
export const draftJson = (view: PageView, task: JsonTask): JsonDraft =>
  draftFrom(collectFindings(view), task);

export function draftFrom(findings: Findings, { schema, prompt = "" }: JsonTask): JsonDraft {
  const names = schema === undefined ? findNamesInPrompt(prompt) : [];
  if (schema === undefined && names.length === 0) return draftWholeThing(findings);
  const shape: Shape = schema === undefined ? buildShapeOfNames(names) : readShape(schema);
  // Clients that cannot convert a schema send an empty one.
  if (shape.kind === "any") return draftWholeThing(findings);
  const filled = fillShape(describeByPrompt(shape, prompt), findings, prompt);
  const { value, dropped, faults } = keepValid(schema, filled.value, { keepsIncomplete: true });
  const found = { value: filled.value, evidence: Object.fromEntries(filled.evidence) };
  const evidence = mergeEvidence(value, [found]);
  const isKept = (pointer: string): boolean => evidence[pointer] === filled.evidence.get(pointer);
  return {
    value,
    evidence,
    strong: [...filled.strong].filter(isKept),
    exact: [...filled.exact].filter(isKept),
    missing: [...shape.properties.keys()].filter((name) => !hasOwn(value, name)),
    reasons: Object.fromEntries(filled.reasons),
    dropped,
    incomplete: summarizeFaults(faults.filter((fault) => fault.startsWith("/"))),
  };
}

const hasOwn = (value: unknown, name: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.hasOwn(value, name) &&
  (value as Record<string, unknown>)[name] !== null;

/** Reads the whole page, so call it before anything prunes it. */
export function collectFindings(view: PageView): Findings {
  const { url } = view.input;
  if (view.kind === "html")
    return readFindings(view.getDocument(), {
      url,
      base: view.getBase(),
      metadata: view.getMetadata(),
    });
  const parsed = view.kind === "json" ? parse(view.text) : undefined;
  const things = findThingsInJson([{ source: "state", selector: "", value: parsed }]);
  return {
    ...NO_FINDINGS,
    things,
    resolve: (written) => URL.parse(written, url)?.href ?? written,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Without a schema and names: returns the object that the page describes, with its own field names.
 */
function draftWholeThing({ things, page }: Findings): JsonDraft {
  const described = things.filter(
    ({ types }) => types.length > 0 && !types.some((type) => PAGE_LEVEL_TYPE.test(type)),
  );
  const [main = page] = described.toSorted((one, other) => other.fields.size - one.fields.size);
  const { value, evidence } = toPlain(main);
  return {
    value,
    evidence,
    strong: [],
    exact: [],
    missing: [],
    reasons: {},
    dropped: [],
    incomplete: [],
  };
}

const PAGE_LEVEL_TYPE =
  /^(?:WebSite|WebPage|BreadcrumbList|ListItem|ImageObject|SearchAction|ReadAction|EntryPoint|Organization)$/;
