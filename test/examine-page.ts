// Properties of any page, however broken: it is converted deterministically, without executable
// content, within the depth limit, and in time proportional to its size.
import process from "node:process";
import { isTag, type ChildNode } from "domhandler";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { derive } from "../src/formats/derive.ts";
import type { DerivedDocument } from "../src/formats/derivation.ts";
import { parseHtml } from "../src/html/parse/parse.ts";
import { MAX_DEPTH } from "../src/html/parse/tree-writer.ts";
import { getNextNode } from "../src/html/parse/tree.ts";
import type { BrokenPage } from "./mutate-page.ts";

const FORMATS = ["markdown", "html", "links", "images"] as const;
/** The serialized page may be as deep as its tree; rendered Markdown may add list levels. */
const DEEPEST = MAX_DEPTH + 4;
/** Pictures and videos stay in the html format as <object> and <embed>. */
const RUNNING: ReadonlySet<string> = new Set(["script", "iframe", "base", "meta"]);
const SCRIPTED = /^[\0-\x20]*(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i;
/** CPU milliseconds per page, and per KiB. */
const MIN_MS = 1_000;
const MS_PER_KIB = 6;

function answer(page: BrokenPage, onlyMainContent: boolean): DerivedDocument {
  return derive({
    ...page,
    text: true,
    mimeType: "text/html",
    url: "https://site.example/a/page",
    formats: FORMATS.map((type) => ({ type })),
    onlyMainContent,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    explain: "overlay",
    discover: true,
    linkHeader: "",
    known: new Int32Array(),
  });
}

/** The result without timings. */
const timeless = ({ steps: _steps, startedAt: _at, ...rest }: DerivedDocument): string =>
  JSON.stringify(rest);

/** Returns what is executable or too deep in HTML that we wrote. */
function faultsOf(html: string, from: string): string[] {
  const document = parseHtml(html);
  const faults: string[] = [];
  for (
    let node = getNextNode(document, document);
    node !== null;
    node = getNextNode(node, document)
  ) {
    if (!isTag(node)) continue;
    if (depthOf(node) > DEEPEST) return [...faults, `${from} is deeper than ${DEEPEST}`];
    if (RUNNING.has(node.name)) faults.push(`${from} has <${node.name}>`);
    for (const name of ["href", "src", "action", "formaction", "xlink:href"])
      if (SCRIPTED.test(node.attribs[name] ?? "")) faults.push(`${from} has a scripted ${name}`);
  }
  return faults;
}

function depthOf(node: ChildNode): number {
  let depth = 0;
  for (let { parent } = node; parent !== null; { parent } = parent) depth++;
  return depth;
}

/** Returns everything wrong with the conversion of a page. `heavy` also renders its Markdown. */
export function examinePage(page: BrokenPage, heavy = true): string[] {
  const before = process.cpuUsage();
  let first: DerivedDocument;
  try {
    first = answer(page, true);
  } catch (error) {
    return [`main content throws ${error instanceof Error ? (error.stack ?? "") : String(error)}`];
  }
  const used = process.cpuUsage(before);
  const ms = (used.user + used.system) / 1000;
  const faults: string[] = [];
  const kib = page.body.length / 1024;
  if (ms > MIN_MS + MS_PER_KIB * kib)
    faults.push(`${kib.toFixed(0)} KiB take ${ms.toFixed(0)} CPU ms`);
  if (timeless(answer(page, true)) !== timeless(first)) faults.push("two answers differ");
  try {
    answer(page, false);
  } catch (error) {
    faults.push(`the whole page throws ${String(error)}`);
  }
  const { document, explanation } = first;
  faults.push(...faultsOf(document.html ?? "", "html"));
  const { overlay = "" } = explanation ?? {};
  faults.push(...faultsOf(overlay.slice(overlay.indexOf("<body>")), "overlay"));
  if (!heavy) return faults;
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  const rendered = micromark((document.markdown ?? "").slice(0, 200_000), options);
  return [...faults, ...faultsOf(rendered, "markdown")];
}
