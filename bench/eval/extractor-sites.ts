// The template sites of test/extractors/sites: learned from the examples of site.json, scored on
// everything else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { learnProgram } from "../../src/extractors/learn/learn-program.ts";
import { listWantedFields } from "../../src/extractors/learn/wanted-fields.ts";
import { ExtractorPage } from "../../src/extractors/extractor-page.ts";
import { runProgram } from "../../src/extractors/run-program.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";
import {
  judge,
  computePrecision,
  computeRecall,
  countFindings,
  type ValueFinding,
  type Schema,
} from "./score-values.ts";

const ROOT = path.join(import.meta.dirname, "../../test/extractors/sites");

type Row = Readonly<Record<string, unknown>>;
type SitePage = { readonly url: string; readonly expected: Row };
type Site = {
  readonly name: string;
  readonly kind: "detail" | "list" | "drift";
  readonly half: string;
  readonly language?: string;
  readonly schema: Schema & { readonly properties: Readonly<Record<string, Schema>> };
  readonly examples: readonly { page: string; values?: Row; records?: readonly Row[] }[];
  readonly pages: Readonly<Record<string, SitePage>>;
};

type Options = { readonly half: string; readonly site: string; readonly verbose: boolean };

export function scoreSites({ half, site: wanted, verbose }: Options): void {
  const all: ValueFinding[] = [];
  console.log("site | right | missing | wrong | invented | silent | precision | recall");
  for (const name of readdirSync(ROOT)) {
    const folder = path.join(ROOT, name);
    if (!existsSync(path.join(folder, "site.json")) || !name.includes(wanted)) continue;
    const site = readSite(folder);
    // Held-out sites are only measured: their totals are printed, never their values.
    const isShown = verbose && site.half === "dev";
    if (site.half !== half) continue;
    const findings = scoreSite(site, folder, isShown);
    all.push(...findings);
    print(name, findings);
    if (isShown) for (const [field, group] of groupByField(findings)) print(`  ${field}`, group);
  }
  print("all", all);
}

const readSite = (folder: string): Site =>
  JSON.parse(readFileSync(path.join(folder, "site.json"), "utf8")) as Site;

function openPage(folder: string, file: string, { pages, language }: Site): ExtractorPage {
  const document = parseHtml(readFileSync(path.join(folder, file), "utf8"));
  return new ExtractorPage({ document, url: pages[file]?.url ?? "http://localhost/", language });
}

function scoreSite(site: Site, folder: string, verbose: boolean): ValueFinding[] {
  const wanted = listWantedFields(site.schema as Record<string, unknown>);
  const { program, problems } = learnProgram(
    site.examples.map(({ page, values, records }) => ({
      page: openPage(folder, page, site),
      data: values ?? { records },
    })),
    wanted,
  );
  if (verbose) {
    console.log(JSON.stringify(program?.fields, null, 1));
    for (const problem of problems) console.log("  problem", JSON.stringify(problem));
  }
  const examplePages = new Set(site.examples.map(({ page }) => page));
  const findings: ValueFinding[] = [];
  for (const [file, { url, expected }] of Object.entries(site.pages)) {
    // The other records of an example page of a list are scored too.
    if (site.kind === "detail" && examplePages.has(file)) continue;
    const page = openPage(folder, file, site);
    const result = program === undefined ? undefined : runProgram(program, page);
    const found = judge(site.schema, expected, result?.value, url);
    findings.push(...found);
    if (verbose)
      for (const each of found)
        if (each.verdict === "wrong" || each.verdict === "invented" || each.verdict === "missing")
          console.log(`  ${file} ${JSON.stringify(each)}`.slice(0, 240));
  }
  return findings;
}

const groupByField = (findings: readonly ValueFinding[]): Map<string, ValueFinding[]> =>
  Map.groupBy(findings, ({ path: place }) => place.replaceAll(/\[[^\]]*\]/g, ""));

function print(name: string, findings: readonly ValueFinding[]): void {
  const counts = countFindings(findings);
  const { right, missing, wrong, invented, silent } = counts;
  const shares = [computePrecision(counts), computeRecall(counts)].map((share) =>
    Number.isNaN(share) ? "–" : share.toFixed(3),
  );
  console.log([name, right, missing, wrong, invented, silent, ...shares].join(" | "));
}
