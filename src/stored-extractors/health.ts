// The health of an extractor: coverage of its fields on the last pages, and whether the template
// has changed.
import {
  isGroup,
  type ExtractorProgram,
  type ProgramField,
} from "../contract/extractors/program.ts";
import { MIN_TEMPLATE_MATCH } from "../extractors/fingerprint.ts";
import type { FieldCount } from "../extractors/run-program.ts";

/** Number of recent pages that count. */
const MAX_PAGES = 20;
/** Fewer pages are not enough evidence. */
const MIN_PAGES = 4;
/** Minimum share of the template's pages with a required field. */
const MIN_COVERAGE = 0.5;
/** Maximum share of texts of another type at a field's place. */
const MAX_VIOLATIONS = 0.3;
/** Minimum coverage of other fields as a share of their usual one. */
const MIN_BASELINE_SHARE = 0.3;
/** Share of pages of other templates above which the template itself has changed. */
const MAX_OTHER_TEMPLATES = 0.7;

type Counts = Readonly<Record<string, FieldCount>>;

export type Health = {
  readonly pages: readonly { readonly match: number; readonly counts: Counts }[];
  /** Coverage of each field over its first 20 pages of the template; missing before. */
  readonly baseline?: Readonly<Record<string, number>>;
  /** Reason for the drift. */
  readonly reason?: string;
};

export const NEW_HEALTH: Health = { pages: [] };

const isOfTemplate = ({ match }: Health["pages"][number]): boolean => match >= MIN_TEMPLATE_MATCH;

/** Adds a page and updates the state. */
export function addPage(
  health: Health,
  page: { readonly match: number; readonly counts: Counts },
  program: ExtractorProgram,
): Health {
  const { reason: _, ...rest } = health;
  const pages = [...health.pages, page].slice(-MAX_PAGES);
  const own = pages.filter(isOfTemplate);
  const baseline =
    health.baseline ??
    (own.length >= MAX_PAGES
      ? Object.fromEntries(
          Object.entries(sumCounts(own)).map(([name, count]) => [name, measureCoverage(count)]),
        )
      : undefined);
  const next = { ...rest, pages, ...(baseline === undefined ? {} : { baseline }) };
  const reason = findDrift(next, program);
  return reason === undefined ? next : { ...next, reason };
}

/** Reason why the extractor no longer fits its pages; undefined while it fits. */
function findDrift(
  { pages, baseline = {} }: Health,
  program: ExtractorProgram,
): string | undefined {
  if (pages.length < MIN_PAGES) return undefined;
  const own = pages.filter(isOfTemplate);
  const others = pages.length - own.length;
  if (others > pages.length * MAX_OTHER_TEMPLATES)
    return `${others} of the last ${pages.length} pages are of another template`;
  if (own.length < MIN_PAGES) return undefined;
  const required = listRequiredFields(program.fields, "");
  for (const [name, count] of Object.entries(sumCounts(own))) {
    const { expected, found, violations } = count;
    if (violations > expected * MAX_VIOLATIONS)
      return `${name} held a text of another type ${violations} of ${expected} times`;
    const usual = required.has(name) ? MIN_COVERAGE : (baseline[name] ?? 0) * MIN_BASELINE_SHARE;
    if (expected >= MIN_PAGES && measureCoverage(count) < usual)
      return `${name} was found ${found} of ${expected} times`;
  }
  return undefined;
}

const measureCoverage = ({ expected, found }: FieldCount): number =>
  expected === 0 ? 1 : found / expected;

export function sumCounts(pages: Health["pages"]): Record<string, FieldCount> {
  const sums = new Map<string, FieldCount>();
  for (const { counts } of pages)
    for (const [name, { expected, found, violations }] of Object.entries(counts)) {
      const sum = sums.get(name) ?? { expected: 0, found: 0, violations: 0 };
      sums.set(name, {
        expected: sum.expected + expected,
        found: sum.found + found,
        violations: sum.violations + violations,
      });
    }
  return Object.fromEntries(sums);
}

function listRequiredFields(
  fields: Readonly<Record<string, ProgramField>>,
  above: string,
): Set<string> {
  const found = new Set<string>();
  for (const [key, field] of Object.entries(fields)) {
    const name = above === "" ? key : `${above}.${key}`;
    if (field.required === true) found.add(name);
    if (isGroup(field))
      for (const inner of listRequiredFields(field.fields, name)) found.add(inner);
  }
  return found;
}

/** The numbers for the API. */
export const describeHealth = ({ pages, reason }: Health) => ({
  pages: pages.length,
  otherTemplates: pages.filter((page) => !isOfTemplate(page)).length,
  fields: sumCounts(pages.filter(isOfTemplate)),
  ...(reason === undefined ? {} : { reason }),
});
