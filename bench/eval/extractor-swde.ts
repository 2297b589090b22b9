// SWDE: pages of one site with ground truth per attribute (Hao et al., SIGIR 2011).
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { decodeHTML } from "entities";
import type { ExtractorProgram } from "../../src/contract/extractors/program.ts";
import { foldBlanks } from "../../src/extractors/convert.ts";
import { learnProgram } from "../../src/extractors/learn/learn-program.ts";
import { ExtractorPage } from "../../src/extractors/extractor-page.ts";
import { runProgram } from "../../src/extractors/run-program.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

type Options = {
  readonly data: string;
  readonly draws: number;
  readonly examples: number;
  readonly verbose: boolean;
};

export function scoreSwde(options: Options): void {
  for (const site of readSites(path.join(options.data, "swde"))) evaluate(site, options);
}

type Truth = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
type Counts = { right: number; wrong: number; missing: number };
type Site = { readonly name: string; readonly folder: string; readonly truth: Truth };

function readSites(root: string): Site[] {
  const sites: Site[] = [];
  for (const vertical of readdirSync(path.join(root, "groundtruth"))) {
    const files = readdirSync(path.join(root, "groundtruth", vertical));
    const names = new Set(files.map((file) => file.split("-").slice(0, 2).join("-")));
    for (const name of names) {
      const folder = readdirSync(path.join(root, vertical)).find((each) =>
        each.startsWith(`${name}(`),
      );
      if (folder === undefined) continue;
      const truth = new Map(
        files
          .filter((file) => file.startsWith(`${name}-`))
          .map((file) => [
            file.slice(name.length + 1, -".txt".length),
            readTruth(path.join(root, "groundtruth", vertical, file)),
          ]),
      );
      sites.push({ name, folder: path.join(root, vertical, folder), truth });
    }
  }
  return sites;
}

function readTruth(file: string): Map<string, string[]> {
  const lines = readFileSync(file, "utf8").split("\n").slice(2);
  return new Map(
    lines
      .map((line) => line.replace(/\r$/, "").split("\t"))
      .filter(([id]) => id !== undefined && id !== "")
      .map(([id = "", , ...values]) => [
        id,
        values.map((value) => fold(value)).filter((value) => value !== "" && value !== "<NULL>"),
      ]),
  );
}

/** The ground truth has entities as the page's source has them. */
const fold = (text: string): string => foldBlanks(decodeHTML(text));

const openPage = (file: string): ExtractorPage =>
  new ExtractorPage({ document: parseHtml(readFileSync(file, "utf8")), url: "http://localhost/" });

function evaluate({ name, folder, truth }: Site, options: Options): void {
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith(".htm"))
    .map((file) => file.slice(0, -".htm".length));
  const totals = new Map<string, Counts>();
  let learnMs = 0;
  let runMs = 0;
  let runs = 0;
  const { draws, examples: count } = options;
  for (let draw = 0; draw < draws; draw += 1) {
    const chosen = Array.from({ length: count }, (_, nth) =>
      Math.floor(((nth + draw / draws) / count) * ids.length),
    ).map((at) => ids[at] ?? "");
    const before = performance.now();
    const { program, problems } = learnProgram(
      chosen.map((id) => ({
        page: openPage(path.join(folder, `${id}.htm`)),
        data: Object.fromEntries(
          [...truth].map(([field, pages]) => [field, pages.get(id)?.[0] ?? null]),
        ),
      })),
    );
    learnMs += performance.now() - before;
    for (const { field, reason, detail } of problems)
      console.log(`draw ${draw}: ${field} was not learned: ${reason}, ${detail}`);
    if (options.verbose) console.log(JSON.stringify(program?.fields, null, 1));
    for (const id of ids) {
      if (chosen.includes(id)) continue;
      const page = openPage(path.join(folder, `${id}.htm`));
      const started = performance.now();
      const value = run(program, page);
      runMs += performance.now() - started;
      runs += 1;
      for (const [field, pages] of truth) {
        const counts = totals.get(field) ?? { right: 0, wrong: 0, missing: 0 };
        totals.set(field, counts);
        const wanted = pages.get(id) ?? [];
        const found = value[field];
        const given = typeof found === "string" ? fold(found) : undefined;
        if (given === undefined) {
          if (wanted.length > 0) counts.missing += 1;
          if (wanted.length > 0 && options.verbose)
            console.log(`${draw} ${id} ${field}: missing, truth ${wanted.join(" | ")}`);
        } else if (wanted.includes(given)) counts.right += 1;
        else {
          counts.wrong += 1;
          if (options.verbose)
            console.log(`${id} ${field}: ${given} | truth ${wanted.join(" | ")}`);
        }
      }
    }
  }
  console.log(
    `${name}: ${ids.length} pages, ${draws} draws of ${count} example pages, 0 model calls`,
  );
  console.log("field | right | wrong | missing | precision | recall | F1");
  for (const [field, { right, wrong, missing }] of totals) {
    const precision = right / Math.max(1, right + wrong);
    const recall = right / Math.max(1, right + wrong + missing);
    const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall);
    console.log(
      [
        field,
        right,
        wrong,
        missing,
        ...[precision, recall, f1].map((each) => each.toFixed(4)),
      ].join(" | "),
    );
  }
  console.log(
    `learn ${(learnMs / draws).toFixed(0)} ms, replay ${(runMs / Math.max(1, runs)).toFixed(1)} ms a page`,
  );
}

const run = (program: ExtractorProgram | undefined, page: ExtractorPage): Record<string, unknown> =>
  program === undefined ? {} : ((runProgram(program, page).value ?? {}) as Record<string, unknown>);
