// Rows that a run collected, by table name. They are copied from pages and reach the answer by
// reference, so they never pass through the model.
import type { ListTarget } from "../answer/target.ts";
import type { Source } from "../run.ts";

export type CollectedRow = {
  readonly value: Readonly<Record<string, unknown>>;
  /** By column. */
  readonly sources: Readonly<Record<string, Source>>;
};

export type CollectedTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly CollectedRow[];
};

/** Rows of all tables of a run. */
const MAX_ROWS = 50_000;
const MAX_TABLES = 50;

export class CollectedTables {
  readonly #tables = new Map<string, CollectedTable>();

  get names(): readonly string[] {
    return [...this.#tables.keys()];
  }

  get all(): readonly CollectedTable[] {
    return [...this.#tables.values()];
  }

  find(name: string): CollectedTable | undefined {
    return this.#tables.get(name);
  }

  /** An unused name: `q1`, `q2` … */
  createName(): string {
    for (let number = 1; ; number += 1) if (!this.#tables.has(`q${number}`)) return `q${number}`;
  }

  /** Replaces the table of that name. Returns false when the limit of rows or tables is reached. */
  put(table: CollectedTable): boolean {
    const others = this.all.filter(({ name }) => name !== table.name);
    const rows = others.reduce((sum, other) => sum + other.rows.length, table.rows.length);
    if (rows > MAX_ROWS || others.length >= MAX_TABLES) return false;
    this.#tables.set(table.name, table);
    return true;
  }

  /**
   * Adds rows to a table, and columns that it does not have; rows that it has already are left out.
   */
  add(name: string, columns: readonly string[], rows: readonly CollectedRow[]): boolean {
    const known = this.#tables.get(name);
    const seen = new Set((known?.rows ?? []).map(toKey));
    const fresh = rows.filter((row) => {
      const key = toKey(row);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    return this.put({
      name,
      columns: [...new Set([...(known?.columns ?? []), ...columns])],
      rows: [...(known?.rows ?? []), ...fresh],
    });
  }
}

const toKey = ({ value }: CollectedRow): string => JSON.stringify(value);

/**
 * JSON Schema types of the columns of a list; none for a table that is not a list of the schema.
 */
export function listTypes(
  list: ListTarget | undefined,
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const properties = (list?.item["properties"] ?? {}) as Record<string, Record<string, unknown>>;
  return new Map(Object.entries(properties));
}
