// Computes the figures of `score.mjs` for pages, scoring each page once for all tables. Truths and
// metrics are the scorers'; Markdown is parsed in linear time (readable-text.ts), so that whole pages
// with scripts take seconds instead of hours.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Entities,
  type Parts,
  listParts,
  readSpokenText,
  toScoredWords,
} from "./readable-text.ts";
import type { Scores, StructureRow, TextRow } from "./tables.ts";

type F1 = { readonly p: number; readonly r: number; readonly f1: number };
type Truth = {
  readonly text?: string;
  readonly md?: string;
  readonly with?: readonly string[];
  readonly without?: readonly string[];
};
type Case = {
  readonly id: string;
  readonly url?: string;
  readonly group?: string;
  readonly gold: Truth;
};
type Metric = "words" | "shingle" | "snippets";

/** Exports of the scorers' files. */
type Scorers = {
  readonly sets: Readonly<Record<string, { readonly metric: Metric; load(): Case[] }>>;
  readonly decodeEntities: Entities;
  readonly metrics: {
    wordF1(answer: string, truth: string): F1;
    listF1(answer: readonly string[], truth: readonly string[]): F1;
    shingle(answer: string, truth: string): unknown;
    shingleTotals(rows: readonly unknown[]): F1;
    snippets(answer: string, wanted: readonly string[], unwanted: readonly string[]): unknown;
    snippetTotals(rows: readonly unknown[]): F1;
  };
};

async function loadScorers(folder: string): Promise<Scorers> {
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(path.resolve(folder, "lib", file)).href);
  const { SETS } = (await load("datasets.mjs")) as { SETS: Scorers["sets"] };
  const metrics = (await load("metrics.mjs")) as Scorers["metrics"];
  const { decodeEntities } = (await load("text.mjs")) as { decodeEntities: Entities };
  return { sets: SETS, metrics, decodeEntities };
}

type Answer = { readonly id: string; readonly markdown?: string; readonly cpu?: number };

function readAnswers(file: string): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const answer = JSON.parse(line) as Answer;
    answers.set(answer.id, answer);
  }
  return answers;
}

/** One scored answer. `row` is the input of its set's metric. */
type PageScore = {
  readonly page: Case;
  readonly cpu: number;
  readonly isEmpty: boolean;
  readonly row: unknown;
  readonly structure: Readonly<Record<string, number>> | undefined;
};

const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

class PageScorer {
  readonly #scorers: Scorers;
  readonly #metric: Metric;
  readonly #truths = new Map<string, Parts>();

  constructor(scorers: Scorers, metric: Metric) {
    this.#scorers = scorers;
    this.#metric = metric;
  }

  score(page: Case, answer: Answer): PageScore {
    const markdown = answer.markdown ?? "";
    const text = readSpokenText(markdown, this.#scorers.decodeEntities);
    return {
      page,
      cpu: answer.cpu ?? 0,
      isEmpty: toScoredWords(text).length < 5,
      row: this.#row(text, page.gold),
      structure:
        page.gold.md === undefined || page.gold.md === ""
          ? undefined
          : this.#structure(markdown, page.id, page.gold.md),
    };
  }

  #row(text: string, gold: Truth): unknown {
    const { metrics } = this.#scorers;
    if (this.#metric === "shingle") return metrics.shingle(text, gold.text ?? "");
    if (this.#metric === "words") return metrics.wordF1(text, gold.text ?? "");
    return metrics.snippets(text, gold.with ?? [], gold.without ?? []);
  }

  #structure(markdown: string, id: string, truth: string): Record<string, number> {
    const { decodeEntities, metrics } = this.#scorers;
    let gold = this.#truths.get(id);
    if (gold === undefined) {
      gold = listParts(truth, decodeEntities);
      this.#truths.set(id, gold);
    }
    const found = listParts(markdown, decodeEntities);
    const scores: Record<string, number> = {};
    for (const part of ["headings", "levels", "links", "items", "cells"] as const)
      if (gold[part].length > 0) scores[part] = metrics.listF1(found[part], gold[part]).f1;
    if (gold.code.length > 0)
      scores["code"] = computeMean(
        gold.code.map((code) =>
          Math.max(0, ...found.code.map((other) => metrics.wordF1(other, code).f1)),
        ),
      );
    if (gold.tables.length > 0)
      scores["tables"] = computeMean(
        gold.tables.map((cells) =>
          Math.max(0, ...found.tables.map((other) => metrics.listF1(other, cells).f1)),
        ),
      );
    return scores;
  }

  textRow(name: string, scored: readonly PageScore[]): TextRow {
    const shared = {
      name,
      n: scored.length,
      cpu: computeMean(scored.map(({ cpu }) => cpu)),
      empty: scored.filter(({ isEmpty }) => isEmpty).length,
    };
    const rows = scored.map(({ row }) => row);
    if (this.#metric === "shingle")
      return { ...shared, ...this.#scorers.metrics.shingleTotals(rows) };
    if (this.#metric === "snippets")
      return { ...shared, ...this.#scorers.metrics.snippetTotals(rows) };
    const words = rows as readonly F1[];
    const groups = [...new Set(scored.map(({ page }) => page.group ?? ""))].filter(Boolean).sort();
    return {
      ...shared,
      p: computeMean(words.map(({ p }) => p)),
      r: computeMean(words.map(({ r }) => r)),
      f1: computeMean(words.map(({ f1 }) => f1)),
      groups: Object.fromEntries(
        groups.map((group) => [
          group,
          computeMean(
            words.filter((_, index) => scored[index]?.page.group === group).map(({ f1 }) => f1),
          ),
        ]),
      ),
    };
  }
}

const PARTS = ["tables", "cells", "code", "headings", "levels", "links", "items"] as const;

function buildStructureRow(name: string, scored: readonly PageScore[]): StructureRow {
  const structure: Record<string, { n: number; f1: number }> = {};
  for (const part of PARTS) {
    const values = scored.flatMap((one) => one.structure?.[part] ?? []);
    if (values.length > 0) structure[part] = { n: values.length, f1: computeMean(values) };
  }
  return { name, structure };
}

export type PageScores = {
  readonly all: Scores<TextRow>;
  readonly held: Scores<TextRow>;
  readonly structure: Scores<StructureRow>;
};

/** Scores the files `out/NAME/SET.jsonl`; pages that `isHeld` a second time separately. */
export async function scorePages(asked: {
  readonly scorers: string;
  readonly out: string;
  readonly names: readonly string[];
  readonly sets: readonly string[];
  readonly isHeld: (set: string, id: string) => boolean;
}): Promise<PageScores> {
  const scorers = await loadScorers(asked.scorers);
  const all: Record<string, TextRow[]> = {};
  const held: Record<string, TextRow[]> = {};
  const structure: Record<string, StructureRow[]> = {};
  for (const set of asked.sets) {
    const source = scorers.sets[set];
    if (source === undefined) throw new Error(`the scorers know no set ${set}`);
    const cases = source.load();
    const scorer = new PageScorer(scorers, source.metric);
    for (const name of asked.names) {
      const file = path.join(asked.out, name, `${set}.jsonl`);
      if (!existsSync(file)) continue;
      const answers = readAnswers(file);
      const scored = cases.flatMap((page) => {
        const answer = answers.get(page.id);
        return answer === undefined ? [] : [scorer.score(page, answer)];
      });
      (all[set] ??= []).push(scorer.textRow(name, scored));
      const apart = scored.filter(({ page }) => asked.isHeld(set, page.id));
      (held[set] ??= []).push(scorer.textRow(name, apart));
      if (scored.some((one) => one.structure !== undefined))
        (structure[set] ??= []).push(buildStructureRow(name, scored));
    }
  }
  return { all, held, structure };
}
