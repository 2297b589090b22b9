// Decides whether a run without a language model may complete. It may if rules account for the
// whole request; otherwise its rows could be the wrong ones.
import type { PageNote } from "../pages/read-page.ts";
import { listLabels, findLabelWords, type Label, type PromptWords } from "./prompt-words.ts";
import type { Answer } from "../run.ts";

/** Labels of the pages of a run. */
export class PageLabels {
  readonly #words: PromptWords;
  readonly #all: Label[][] = [];
  /** Labels of the pages where the walk began. */
  readonly #starts: Label[][] = [];
  /** Labels of pages with rows and of the pages that link to them. */
  readonly #withRows: Label[][] = [];

  constructor(words: PromptWords) {
    this.#words = words;
  }

  /** `isStart`: the walk began at the page. `rowsUnder` as in `ProcessedPage`. */
  add(note: PageNote, isStart: boolean, rowsUnder: readonly string[] | undefined): void {
    const labels = listLabels(note);
    this.#all.push(labels);
    if (isStart) this.#starts.push(labels);
    if (rowsUnder === undefined) return;
    const above = rowsUnder.flatMap((title) => listLabels({ ...note, title, markdown: "" }));
    this.#withRows.push([...labels, ...above]);
  }

  /**
   * Words of the request for which neither the site, nor each start page, nor each page with rows
   * accounts.
   */
  listUnexplained(): string[] {
    const { open, known } = this.#words;
    const holds = (labels: readonly Label[], word: string): boolean =>
      labels.some((label) => findLabelWords(label, [word], known).length > 0);
    const groups = [this.#all, this.#starts, this.#withRows].filter(({ length }) => length > 0);
    return open.filter(
      (word) => !groups.some((pages) => pages.every((labels) => holds(labels, word))),
    );
  }
}

const MAX_NAMED = 8;

/**
 * Returns what the rules lack, as sentences; none if the run may complete. `hasLists`: the schema
 * asks for rows. `unexplained`: words that no label accounts for.
 */
export function judge({
  answer,
  words,
  unexplained: rest,
  hasLists,
  isUnnamed,
  isEmpty,
  disputed,
}: {
  readonly answer: Answer;
  readonly words: PromptWords;
  readonly unexplained: readonly string[];
  readonly hasLists: boolean;
  /** The schema is a list without a title. */
  readonly isUnnamed: boolean;
  readonly isEmpty: boolean;
  readonly disputed: readonly string[];
}): string[] {
  const lacks: string[] = [];
  const conditions = [...words.conditions, ...(hasLists ? rest : [])];
  if (conditions.length > 0)
    lacks.push(
      `Rules cannot tell whether ${quoteWords(conditions)} in the request ${conditions.length === 1 ? "chooses" : "choose"} among the rows.${isUnnamed ? " If it is what the rows are, give it to the schema as title." : ""}`,
    );
  if (disputed.length > 0)
    lacks.push(`Pages about the requested thing disagree about ${listNames(disputed)}.`);
  if (isEmpty)
    lacks.push(
      hasLists
        ? "No list, table or page has the requested fields under their names."
        : "No page about the requested thing has the value under its name, and no table has it where a named row and column meet.",
    );
  else if (hasLists) {
    const asked = answer.unfilled.filter((pointer) => words.fields.has(readLastName(pointer)));
    if (asked.length > 0) lacks.push(`No row has a value for ${listNames(asked)}.`);
  }
  return lacks;
}

const readLastName = (pointer: string): string =>
  (pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
const listNames = (things: readonly string[]): string =>
  things.slice(0, MAX_NAMED).join(", ") +
  (things.length > MAX_NAMED ? ` and ${things.length - MAX_NAMED} more` : "");
const quoteWords = (words: readonly string[]): string =>
  listNames(words.map((word) => JSON.stringify(word)));
