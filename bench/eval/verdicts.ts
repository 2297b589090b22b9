// Prints a table of the verdicts for all pages of the sets, and each page whose verdict is not
// content:
//   EVAL_DATA=FOLDER node bench/eval/verdicts.ts [--set NAME]
// The pages are saved ones, without status and headers. Exits with 1 when the text of a page with
// content would be withheld, or when no page was found.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { VERDICTS, type VerdictKind } from "../../src/contract/page/verdict.ts";
import { acceptNoscript, judge, type Verdict } from "../../src/html/evidence/verdict.ts";
import { decodeText } from "../../src/html/parse/charset.ts";
import { readEvidence } from "../../src/html/evidence/evidence.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

const { values: flags } = parseArgs({ options: { set: { type: "string" } } });
const DATA = path.resolve(process.env["EVAL_DATA"] ?? "data");
/**
 * Pages of the sets that are a bot check, checked by hand: one that Anubis sent in place of a
 * thread.
 */
const BLOCK_PAGES: ReadonlySet<string> = new Set(["0551.html.gz"]);
const PAGE = /\.(?:html?|testhtml)(?:\.gz)?$/;

type VerdictCase = {
  readonly file: string;
  readonly verdict: Verdict;
  readonly title: string;
  readonly words: number;
};

function judgeFile(file: string): VerdictCase {
  const bytes = readFileSync(path.join(DATA, file));
  const body = file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  const { text } = decodeText(body, "text/html", "text/html");
  const evidence = readEvidence(parseHtml(text));
  const verdict = acceptNoscript(judge(200, evidence, body.length), evidence);
  return { file, verdict, title: evidence.title, words: evidence.words };
}

const files = readdirSync(DATA, { recursive: true, encoding: "utf8" })
  .filter((file) => PAGE.test(file))
  .filter((file) => flags.set === undefined || file.startsWith(`${flags.set}${path.sep}`))
  .toSorted();
const sets = Map.groupBy(files.map(judgeFile), ({ file }) => file.split(path.sep)[0] ?? "");
const countKind = (pages: readonly VerdictCase[], kind: VerdictKind): number =>
  pages.filter(({ verdict }) => verdict.kind === kind).length;

const print = (...lines: string[]): boolean => process.stdout.write(`${lines.join("\n")}\n`);
print(`| set | pages | ${VERDICTS.join(" | ")} | withheld |`);
print(`|---|---|${VERDICTS.map(() => "---|").join("")}---|`);
const all = [...sets.values()].flat();
const isWithheld = ({ verdict }: VerdictCase): boolean => verdict.certain === true;
for (const [set, pages] of [...sets, ["all", all] as const]) {
  const counts = VERDICTS.map((kind) => countKind(pages, kind));
  print(`| ${[set, pages.length, ...counts, pages.filter(isWithheld).length].join(" | ")} |`);
}
print("");
for (const { file, verdict, title, words } of all)
  if (verdict.kind !== "content")
    print(
      `${verdict.kind}${verdict.certain ? " (withheld)" : ""}: ${file}: ${words} words, "${title}": ${verdict.reason}`,
    );
const isWrong = (judged: VerdictCase): boolean =>
  isWithheld(judged) && !BLOCK_PAGES.has(path.basename(judged.file));
if (all.length === 0 || all.some(isWrong)) process.exitCode = 1;
