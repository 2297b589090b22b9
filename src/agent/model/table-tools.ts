// The tools over collected rows: collect copies them from pages, query reads them, and an answer
// refers to them by name.
import type { AgentRunContext } from "../agent-run-context.ts";
import { collectRows } from "./collect.ts";
import { CollectedTables, type CollectedTable, type CollectedRow } from "../tables/collected.ts";
import { fenceText, buildMark } from "./conversation.ts";
import type { Findings } from "./findings.ts";
import { resolveRows, type GivenRows } from "../tables/give-rows.ts";
import { QueryFault, queryTable, type TableQuery } from "../tables/query-table.ts";
import type { PageNote, PageReader } from "../pages/read-page.ts";
import { buildPointer } from "../answer/target.ts";
import type { ToolArguments } from "./tools.ts";

const MAX_SHOWN_ROWS = 20;
const MAX_SHOWN_CHARACTERS = 8_000;
/** Minimum growth of the rows, as a factor, before another interim answer. */
const MIN_ROW_GROWTH = 1.1;
const TABLES_FULL =
  "Not kept: the run holds as many rows as it can. Query with fewer columns or a limit.";

type TableAnswer = { readonly text: string; readonly summary: string };

export class TableTools {
  readonly #reader: PageReader;
  readonly #work: AgentRunContext;
  readonly #findings: Findings;
  readonly #pages: ReadonlyMap<string, PageNote>;
  readonly #tables = new CollectedTables();
  /** Tables with rows of pages, not of queries. */
  readonly #collected = new Set<string>();
  readonly #mark: string;
  /** Number of rows in the last interim answer. */
  #reportedCount = 0;

  constructor(
    reader: PageReader,
    work: AgentRunContext,
    findings: Findings,
    pages: ReadonlyMap<string, PageNote>,
  ) {
    this.#reader = reader;
    this.#work = work;
    this.#findings = findings;
    this.#pages = pages;
    this.#mark = buildMark(work.run.id);
  }

  /** Parts of the answer that are collected rows, see `resolveRows`. */
  resolveRows(references: Readonly<Record<string, string>>): GivenRows {
    return resolveRows(references, this.#tables, this.#findings.target);
  }

  /** Throws CollectFault, and what journal steps throw. */
  async collect(call: ToolArguments<"collect">): Promise<TableAnswer> {
    const report = await collectRows(
      {
        reader: this.#reader,
        work: this.#work,
        tables: this.#tables,
        target: this.#findings.target,
        pages: this.#pages,
        onRows: (name, rows) => this.#takeRows(name, rows),
      },
      call,
    );
    if (report.stopped !== "")
      this.#findings.addWarning(`The rows of ${report.name} are incomplete: ${report.stopped}.`);
    const sample = fenceText(this.#mark, "rows", report.sample);
    return { text: `${report.text}\n${sample}`, summary: `[${report.text}]` };
  }

  /** Collected rows are part of interim answers, and their words are evidence for other values. */
  async #takeRows(name: string, rows: readonly CollectedRow[]): Promise<void> {
    this.#collected.add(name);
    const byUrl = Map.groupBy(
      rows.flatMap(({ sources }) => Object.values(sources)),
      ({ url }) => url,
    );
    for (const [url, sources] of byUrl)
      this.#findings.addPage({
        url,
        markdown: sources.map(({ text = "" }) => text).join("\n"),
        areCells: true,
      });
    const { target } = this.#findings;
    this.#findings.setCollected(
      [...this.#collected].map((table) => {
        const list = target?.lists.find(({ path }) => path.at(-1) === table) ?? target?.lists[0];
        const pointer = target?.isWrapped === true ? "" : buildPointer(list?.path ?? [table]);
        return this.resolveRows({ [pointer]: table });
      }),
    );
    // Building the answer takes time linear in the rows, so it is not built after every page of a
    // long list.
    const count = this.#tables.all.reduce((sum, table) => sum + table.rows.length, 0);
    if (count < this.#reportedCount * MIN_ROW_GROWTH) return;
    this.#reportedCount = count;
    await this.#work.tell(this.#findings.answer(false));
  }

  /** Throws QueryFault. */
  async query(call: ToolArguments<"query">): Promise<TableAnswer> {
    const { from, join, into, ...rest } = call;
    const query: TableQuery = {
      ...(rest as TableQuery),
      ...(join === undefined
        ? {}
        : {
            join: {
              table: this.#find(join.table),
              on: join.on,
              ...(join.to === undefined ? {} : { to: join.to }),
            },
          }),
    };
    const found = queryTable(this.#find(from), query);
    const name = into ?? this.#tables.createName();
    if (!this.#tables.put({ name, ...found })) return { text: TABLES_FULL, summary: TABLES_FULL };
    await this.#work.journal.runStep({ tool: "query", input: call, maxCredits: 0 }, async () => ({
      output: null,
      credits: 0,
      shown: { table: name, rows: found.rows.length },
    }));
    const shown = found.rows.slice(0, MAX_SHOWN_ROWS).map(({ value }) => JSON.stringify(value));
    const text = `${name} has ${found.rows.length} rows with ${found.columns.join(", ")}.`;
    const rows = fenceText(this.#mark, "rows", shown.join("\n").slice(0, MAX_SHOWN_CHARACTERS));
    const more = found.rows.length > shown.length ? ` The first ${shown.length}:` : "";
    return { text: `${text}${more}\n${rows}`, summary: `[${text}]` };
  }

  #find(name: string): CollectedTable {
    const table = this.#tables.find(name);
    if (table !== undefined) return table;
    throw new QueryFault(
      `There is no table ${JSON.stringify(name)}; there are ${this.#tables.names.join(", ") || "none yet: collect rows first"}.`,
    );
  }
}
