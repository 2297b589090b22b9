// Runs repeated statements on the embedded database in one call instead of six, and prepares
// statements with a fixed plan under a name. That takes half and a third of the time.
import { types, type PGlite } from "@electric-sql/pglite";

export type PreparedResult = { readonly rows: unknown[]; readonly affectedRows: number };

type Engine = Pick<PGlite, "execProtocolStream" | "parsers" | "serializers">;
type Message = Awaited<ReturnType<Engine["execProtocolStream"]>>[number];

type Statement = {
  /** Empty when it is sent in full each time. */
  name: string;
  readonly parameterTypes: readonly number[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
};

/** Maximum cached statements; the database holds about 50 KiB for each prepared one. */
const MAX_STATEMENTS = 100;
/** These statements invalidate the cache. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

/**
 * True if the plan stays the same as tables grow: rows are inserted without searching. Other
 * statements must be planned for the current tables, because a cached plan would be that of an
 * empty table: nothing analyzes tables here, which would trigger new plans.
 */
const hasOnePlan = (text: string): boolean =>
  /^\s*(?:insert into|with "written_0" as \(insert into)\b/.test(text) &&
  !/\b(?:from (?!json_to_recordset\()|join|exists|update|delete)\b/.test(text);

/**
 * The statements of one connection. The caller of `query` makes sure that nothing else uses the
 * connection meanwhile.
 */
export class PreparedQueries {
  readonly #engine: Engine;
  readonly #statements = new Map<string, Statement>();
  /** Names that the database still holds. */
  #closing: string[] = [];
  #count = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Returns rows as objects, with values parsed by the engine's parsers. Throws the database's
   * error.
   */
  async query(text: string, values: readonly unknown[] = []): Promise<PreparedResult> {
    if (CHANGES_TABLES.test(text)) this.#forget();
    const known = this.#statements.get(text);
    const statement = known ?? (await this.#describe(text));
    // Keeps least-recently-used order.
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    this.#dropOldest();
    const bound = this.#serialize(statement, values);
    const messages =
      known !== undefined && known.name === ""
        ? await this.#parseAndRun(text, known, bound)
        : await this.#send([bind(statement.name, bound), EXECUTE, SYNC]);
    return toResult(messages, statement, this.#engine.parsers);
  }

  /** Clears the cache. */
  #forget(): void {
    for (const statement of this.#statements.values()) this.#drop(statement);
    this.#statements.clear();
  }

  /** Parses and describes the statement without a name. */
  async #describe(text: string): Promise<Statement> {
    const messages = await this.#send([parse("", text), describe(""), SYNC]);
    return { name: "", ...readDescription(messages) };
  }

  async #parseAndRun(
    text: string,
    statement: Statement,
    bound: readonly (string | null)[],
  ): Promise<Message[]> {
    const name = hasOnePlan(text) ? `prepared_${(this.#count += 1)}` : "";
    const run = [parse(name, text), bind(name, bound), EXECUTE, SYNC];
    try {
      const messages = await this.#send(run);
      statement.name = name;
      return messages;
    } catch (error) {
      // It may be unprepared; closing an unknown name is not an error.
      this.#drop({ name });
      throw error;
    }
  }

  #dropOldest(): void {
    if (this.#statements.size <= MAX_STATEMENTS) return;
    for (const [text, statement] of this.#statements) {
      this.#statements.delete(text);
      this.#drop(statement);
      return;
    }
  }

  #drop({ name }: Pick<Statement, "name">): void {
    if (name !== "") this.#closing.push(name);
  }

  #serialize({ parameterTypes }: Statement, values: readonly unknown[]): (string | null)[] {
    const { serializers } = this.#engine;
    return values.map((value, index) => {
      if (value === null || value === undefined) return null;
      const serialize = serializers[parameterTypes[index] ?? 0];
      return serialize === undefined ? `${value as string}` : (serialize(value) as string);
    });
  }

  async #send(messages: readonly Buffer[]): Promise<Message[]> {
    const closing = this.#closing.map(close);
    this.#closing = [];
    const bytes = Buffer.concat([...closing, ...messages]);
    // A folder on disk is written directly, so nothing has to be synced after a statement.
    return await this.#engine.execProtocolStream(bytes, { syncToFs: false });
  }
}

function readDescription(
  messages: readonly Message[],
): Pick<Statement, "parameterTypes" | "fields"> {
  let parameterTypes: readonly number[] = [];
  let fields: Statement["fields"] = [];
  for (const message of messages) {
    if (message.name === "parameterDescription" && "dataTypeIDs" in message)
      parameterTypes = message.dataTypeIDs as number[];
    else if (message.name === "rowDescription" && "fields" in message)
      fields = message.fields as Statement["fields"];
  }
  return { parameterTypes, fields };
}

function toResult(
  messages: readonly Message[],
  { fields }: Statement,
  parsers: Engine["parsers"],
): PreparedResult {
  const rows: unknown[] = [];
  let affectedRows = 0;
  for (const message of messages) {
    if (message.name === "dataRow" && "fields" in message)
      rows.push(toRow(message.fields as (string | null)[], fields, parsers));
    else if (message.name === "commandComplete" && "text" in message)
      affectedRows += readAffectedRows(message.text as string);
  }
  return { rows, affectedRows };
}

function toRow(
  values: readonly (string | null)[],
  fields: Statement["fields"],
  parsers: Engine["parsers"],
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, { name, dataTypeID }] of fields.entries())
    row[name] = types.parseType(values[index] ?? null, dataTypeID, parsers);
  return row;
}

/** The row count of a command tag such as "INSERT 0 5"; 0 for reads. */
const readAffectedRows = (tag: string): number =>
  /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)\b/.test(tag)
    ? Number(tag.slice(tag.lastIndexOf(" ") + 1))
    : 0;

// Builds a client message (PostgreSQL, "Message Formats"): a letter, the length from there on, the
// contents.

function buildMessage(letter: string, contents: Buffer): Buffer {
  const made = Buffer.allocUnsafe(5 + contents.length);
  made.write(letter, 0, "latin1");
  made.writeInt32BE(4 + contents.length, 1);
  contents.copy(made, 5);
  return made;
}

const SYNC = buildMessage("S", Buffer.alloc(0));
/** Executes the unnamed portal for all rows. */
const EXECUTE = buildMessage("E", Buffer.alloc(5));

const parse = (name: string, text: string): Buffer =>
  buildMessage("P", Buffer.from(`${name}\0${text}\0\0\0`));
const describe = (name: string): Buffer => buildMessage("D", Buffer.from(`S${name}\0`));
const close = (name: string): Buffer => buildMessage("C", Buffer.from(`S${name}\0`));

/** Binds the unnamed portal with parameters and results as text. */
function bind(name: string, values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0);
  const head = 1 + name.length + 1 + 2 + 2;
  const made = Buffer.allocUnsafe(5 + head + size + 2);
  made.write("B", 0, "latin1");
  made.writeInt32BE(made.length - 1, 1);
  let at = made.write(`\0${name}\0\0\0`, 5, "latin1") + 5;
  at = made.writeInt16BE(values.length, at);
  for (const [index, value] of values.entries()) {
    at = made.writeInt32BE(lengths[index] ?? -1, at);
    if (value !== null) at += made.write(value, at);
  }
  made.writeInt16BE(0, at);
  return made;
}
