import { styleText } from "node:util";
import { toTerminalText } from "../terminal/guard-terminal.ts";
import type { Removal } from "../../html/clean/removal.ts";
import type { FailureExplanation, ScrapeExplanation } from "../../scrape/explanation.ts";

const MAX_REMOVALS = 40;

/** Parts of an explanation; after a failure, only the known ones. */
export type ExplanationParts = FailureExplanation & Partial<ScrapeExplanation>;

/** Prints the explanation of a result on standard error. */
export function printExplanation(explanation: ExplanationParts, where: string): void {
  const lines = [
    formatHeading("how this result was made"),
    `answered by   ${where}`,
    `plan          ${explanation.plan.attempts.map(({ engine, proxy }) => `${engine} (${proxy})`).join(", then ")}`,
    ...explanation.attempts.flatMap((attempt) => [
      `tried         ${attempt.engine} (${[attempt.proxy, attempt.renderedBy].filter(Boolean).join(", ")}): ${attempt.outcome}${attempt.statusCode === undefined ? "" : ` ${attempt.statusCode}`} in ${Math.round(attempt.ms)} ms`,
      ...formatRendering(attempt.rendering),
    ]),
    `cache         ${explanation.cache}${explanation.renderedBy === undefined ? "" : ` (rendered by ${explanation.renderedBy})`}`,
    ...formatResult(explanation),
    ...(explanation.fallback === undefined ? [] : [`fallback      ${explanation.fallback}`]),
    `timings (ms)  ${Object.entries(explanation.timings)
      .map(([step, ms]) => `${step} ${ms.toFixed(2)}`)
      .join(", ")}`,
    ...formatMainContent(explanation.mainContent),
    ...formatMetadata(explanation.metadataSources ?? {}),
    ...formatPageModel(explanation.pageModel),
    ...formatRemovals(explanation.removals ?? []),
  ];
  // Headings start with an empty line and have our own styles; other lines quote the page.
  const shown = lines.map((line) => (line.startsWith("\n") ? line : toTerminalText(line)));
  const text = process.stderr.isTTY ? shown : lines;
  process.stderr.write(`${text.join("\n")}\n`);
}

/** Addresses shown of each kind of blocked request. */
const MAX_BLOCKED = 5;

function formatRendering(rendering: ExplanationParts["attempts"][number]["rendering"]): string[] {
  if (rendering === undefined) return [];
  const { ready, waitedMs, blocked } = rendering;
  return [
    `ready         after ${waitedMs} ms: ${ready}`,
    ...blocked.map(({ kind, count, addresses }) => {
      const rest = count - Math.min(MAX_BLOCKED, addresses.length);
      return `blocked       ${count} ${kind}: ${addresses.slice(0, MAX_BLOCKED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    }),
  ];
}

function formatResult({ verdict, charset, creditsUsed }: ExplanationParts): string[] {
  if (verdict === undefined) return [];
  return [
    `verdict       ${verdict.kind}: ${verdict.reason}`,
    `encoding      ${charset ?? "not text"}`,
    `credits       ${creditsUsed}`,
  ];
}

function formatMainContent(found: ScrapeExplanation["mainContent"]): string[] {
  if (found === undefined) return [];
  if (found.level === "generator")
    return [`main content  where ${found.generator} puts it (no model was asked)`];
  const { kind, cut, confidence, strictness, keptWords, words, added, level } = found;
  const role =
    kind.role === undefined ? "" : `; its address or its own words say ${kind.role} page`;
  return [
    `page kind     ${kind.kind} (${kind.probability.toFixed(2)})${role}`,
    `main content  ${keptWords} of ${words} words, ${level === "model" ? `blocks from ${cut.toFixed(2)} on` : "the whole page"}, strictness ${strictness}, expected F1 ${confidence.toFixed(2)}`,
    ...(added.length === 0
      ? []
      : [`from its data ${added.map(({ label, value }) => `${label}: ${value}`).join("; ")}`]),
  ];
}

function formatMetadata(sources: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(sources);
  if (entries.length === 0) return [];
  return [
    formatHeading("where the metadata comes from"),
    ...entries.map(([name, source]) => `${name.padEnd(14)}${source}`),
  ];
}

const MAX_SHOWN_LINES = 60;

function formatPageModel(model: ScrapeExplanation["pageModel"]): string[] {
  if (model === undefined) return [];
  const { nodes, isCut, lines, linesLeft, pairs, pairsLeft, tables, records } = model;
  const count = (all: number, noun: string): string => `${all} ${noun}${all === 1 ? "" : "s"}`;
  const rest = Math.max(0, lines.length - MAX_SHOWN_LINES) + linesLeft;
  return [
    formatHeading("what a reader sees, with references"),
    [
      `${count(nodes, "element")}${isCut ? " (the page has more)" : ""}`,
      count(pairs.length + pairsLeft, "labeled value"),
      count(tables.length, "table"),
      count(records.length, "record list"),
    ].join(", "),
    ...lines.slice(0, MAX_SHOWN_LINES),
    ...(rest > 0 ? [`… and ${rest} more lines`] : []),
  ];
}

function formatRemovals(removals: readonly Removal[]): string[] {
  if (removals.length === 0) return [];
  const shown = removals.toSorted((a, b) => b.words - a.words).slice(0, MAX_REMOVALS);
  const rest = removals.length - shown.length;
  return [
    formatHeading("what was removed, most words first"),
    ...shown.map(({ words, step, rule, path, sample, score }) =>
      [
        `${String(words).padStart(6)} words`,
        `${step}: ${rule}`,
        score === undefined ? "" : `score ${score.toFixed(2)}`,
        path,
        sample === "" ? "" : `“${sample}”`,
      ]
        .filter((part) => part !== "")
        .join("  "),
    ),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ];
}

const formatHeading = (text: string): string =>
  `\n${styleText("bold", text, { stream: process.stderr })}`;
