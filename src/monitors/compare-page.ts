// Compares two versions of a page within the scope and the rules of a monitor.
import { compilePattern } from "../contract/request/patterns.ts";
import type { Detection, PageScope, PictureScope } from "../contract/jobs/monitor-rules.ts";
import { compareVersions } from "../formats/change-tracking/compare.ts";
import { compareFields, type FieldChanges } from "../formats/change-tracking/fields.ts";
import { toLines, type Line } from "../formats/change-tracking/lines.ts";
import { buildDiff, type Diff } from "../formats/change-tracking/diff.ts";
import { isObject } from "../runtime/is-object.ts";
import { removeNoise, type Noise } from "./noise.ts";
import type { PictureDifference } from "./picture.ts";
import { comparePicturesInThread } from "./pictures.ts";

/** A stored version of a page. JSON. */
export type PageBody = {
  /** The text in scope. */
  readonly text: string;
  /** The fields in scope, for pages with the json format. */
  readonly values?: unknown;
  /** A PNG in base64, if pictures are compared. */
  readonly picture?: string;
};

export type Version = PageBody & { readonly fetchedAt: number };

export type PageRules = {
  readonly detection: Detection;
  readonly noise: readonly Noise[];
  /** True if only fields are compared, not the text. */
  readonly fieldsOnly: boolean;
  readonly picture?: PictureScope | undefined;
};

export type PageDifference = {
  readonly changed: boolean;
  readonly picture?: PictureDifference;
  /** Changed lines that count, unmodified. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly diff: Diff | undefined;
  readonly fields: FieldChanges | undefined;
};

type Test = (text: string) => boolean;

const matchNever: Test = () => false;

function createTest(patterns: readonly string[]): Test {
  if (patterns.length === 0) return matchNever;
  const compiled = patterns.map((pattern) => compilePattern(pattern));
  return (text) => compiled.some((pattern) => pattern.matcher(text).find());
}

/**
 * Text for `textOnly`, without link targets, images and Markdown characters. Versions are stored in
 * this form: a different result would be reported as a change of the page.
 */
const removeMarkdown = (markdown: string): string =>
  markdown
    .replaceAll(/!\[[^\]\n]*\]\([^)\n]*\)/g, "")
    .replaceAll(/\]\([^)\n]*\)/g, "")
    .replaceAll(/[[*_`#|>]/g, " ")
    .replaceAll(/[^\S\n]{1,200}/g, " ");

/** Returns the part of a page's text that is compared. */
export function cutTextToScope(markdown: string, scope: PageScope | undefined): string {
  if (scope === undefined) return markdown;
  const { linesMatching, linesNotMatching, textOnly } = scope;
  const text = textOnly ? removeMarkdown(markdown) : markdown;
  if (linesMatching.length === 0 && linesNotMatching.length === 0) return text;
  const isWanted = linesMatching.length === 0 ? () => true : createTest(linesMatching);
  const isUnwanted = createTest(linesNotMatching);
  return text
    .split("\n")
    .filter((line) => isWanted(line) && !isUnwanted(line))
    .join("\n");
}

/** Learns the blocks of pictures that differ between the fetches of one check. */
export async function learnBlocks(
  pages: readonly Version[],
  { tolerance }: PictureScope,
): Promise<Noise[]> {
  const blocks = new Set<string>();
  for (const [index, { picture }] of pages.entries()) {
    const before = pages[index - 1]?.picture;
    if (before === undefined || picture === undefined || before === picture) continue;
    const found = await comparePicturesInThread(
      Buffer.from(before, "base64"),
      Buffer.from(picture, "base64"),
      tolerance,
      new Set(),
    );
    for (const block of found.blocks) blocks.add(block);
  }
  return blocks.size === 0 ? [] : [{ kind: "blocks", blocks: [...blocks] }];
}

/** Follows a path such as `offers.0.price`; undefined when there is nothing. */
export function readField(values: unknown, path: string): unknown {
  let value = values;
  for (const name of path.split(".")) {
    if (Array.isArray(value)) value = (value as unknown[])[Number(name)];
    else if (isObject(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

/** Returns the values that are compared: all, or the fields in scope. */
export function cutValuesToScope(values: unknown, scope: PageScope | undefined): unknown {
  if (scope?.fields === undefined) return values;
  return Object.fromEntries(scope.fields.map((path) => [path, readField(values, path) ?? null]));
}

const join = (lines: readonly Line[]): string => lines.map(({ text }) => text).join("\n");

export async function comparePages(
  previous: Version,
  current: Version,
  /** Versions before the previous one, oldest first. Only loaded if something differs. */
  earlier: () => Promise<readonly Version[]>,
  { detection, noise, fieldsOnly, picture: rules }: PageRules,
): Promise<PageDifference> {
  if (rules !== undefined && previous.picture !== undefined && current.picture !== undefined) {
    const ignored = noise.flatMap((one) => (one.kind === "blocks" ? one.blocks : []));
    const picture = await comparePicturesInThread(
      Buffer.from(previous.picture, "base64"),
      Buffer.from(current.picture, "base64"),
      rules.tolerance,
      new Set(detection.ignoreNoise ? ignored : []),
    );
    const changed = picture.share > rules.threshold;
    return { changed, picture, added: [], removed: [], diff: undefined, fields: undefined };
  }
  const changes =
    previous.values === undefined && current.values === undefined
      ? {}
      : compareFields(previous.values ?? null, current.values ?? null);
  const fields = Object.keys(changes).length === 0 ? undefined : changes;
  if (fieldsOnly)
    return { changed: fields !== undefined, added: [], removed: [], diff: undefined, fields };
  const isIgnored = createTest(detection.ignore);
  const isWatched = createTest(detection.watch);
  const known = detection.ignoreNoise ? noise : [];
  const reduce = (text: string): string => {
    const lines = toLines(text);
    const quiet = new Set(removeNoise(lines, known));
    return join(
      lines.filter((line) => isWatched(line.text) || (quiet.has(line) && !isIgnored(line.text))),
    );
  };
  const before = { markdown: reduce(previous.text), fetchedAt: previous.fetchedAt };
  const after = { markdown: reduce(current.text), fetchedAt: current.fetchedAt };
  const load = async () =>
    (await earlier()).map(({ text, fetchedAt }) => ({ markdown: reduce(text), fetchedAt }));
  let comparison = await compareVersions(before, after, {
    ignoreNoise: detection.ignoreNoise,
    earlier: load,
  });
  if (!comparison.changed && detection.ignoreNoise && detection.watch.length > 0) {
    const whole = await compareVersions(before, after, { ignoreNoise: false, earlier: load });
    const [removed, added] = listChangedLines(before.markdown, after.markdown, whole);
    if ([...removed, ...added].some(isWatched)) comparison = whole;
  }
  const [removed, added] = listChangedLines(before.markdown, after.markdown, comparison);
  return {
    changed: comparison.changed || fields !== undefined,
    added,
    removed,
    diff: comparison.changed ? buildDiff(before.markdown, after.markdown, comparison) : undefined,
    fields,
  };
}

function listChangedLines(
  before: string,
  after: string,
  counted: { readonly deleted: ReadonlySet<number>; readonly added: ReadonlySet<number> },
): [removed: string[], added: string[]] {
  const pick = (text: string, numbers: ReadonlySet<number>): string[] =>
    text.split("\n").filter((_line, index) => numbers.has(index + 1));
  return [pick(before, counted.deleted), pick(after, counted.added)];
}

const SIGN = /^[-+] ?/;

/** Returns a pattern for lines like this one: equal words, any numbers. */
export function toLinePattern(line: string): string {
  const text = line.replace(SIGN, "").trim();
  return `^\\s*${text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll(/\d+/g, String.raw`\d+`)}\\s*$`;
}
