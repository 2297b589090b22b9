// The embedded database's own way of running a statement parses, describes, binds, executes and plans it anew in six calls
// each time. Here what is seen twice is prepared under a name and then runs in one call, in half the time.
import { types, type PGlite } from "@electric-sql/pglite";

export type PreparedResult = { readonly rows: unknown[]; readonly affectedRows: number };

type Engine = Pick<PGlite, "execProtocolStream" | "parsers" | "serializers">;
type Message = Awaited<ReturnType<Engine["execProtocolStream"]>>[number];

type Statement = {
  /** "" until the text comes a second time. */
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  uses: number;
};

/** Statements remembered; the database holds some 50 KiB for each that is prepared. */
const MOST_STATEMENTS = 100;
/**
 * A prepared statement keeps the plan that was right for the tables as they were. Nobody here analyses tables that grow, which
 * would make it think again, so it is prepared anew after so many uses.
 */
const USES = 64;
/** After these, what was prepared may mean something else. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

/** Statements of one connection. Whoever calls `query` sees to it that nothing else uses the connection meanwhile. */
export class Prepared {
  readonly #engine: Engine;
  readonly #statements = new Map<string, Statement>();
  /** Names that the database still holds. */
  #closing: string[] = [];
  #count = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Rows as objects, values as the engine's parsers make them. Throws what the database throws. */
  async query(text: string, values: readonly unknown[] = []): Promise<PreparedResult> {
    if (CHANGES_TABLES.test(text)) this.forget();
    const statement = await this.#prepare(text);
    const messages = await this.#send([
      bind(statement.name, this.#serialize(statement, values)),
      EXECUTE,
      SYNC,
    ]);
    return toResult(messages, statement, this.#engine.parsers);
  }

  /** Prepares everything anew from here on. */
  forget(): void {
    for (const statement of this.#statements.values()) this.#drop(statement);
    this.#statements.clear();
  }

  async #prepare(text: string): Promise<Statement> {
    const known = this.#statements.get(text);
    this.#statements.delete(text);
    if (known !== undefined && known.name !== "" && known.uses < USES) {
      known.uses += 1;
      this.#statements.set(text, known);
      return known;
    }
    if (known !== undefined) this.#drop(known);
    const name = known === undefined ? "" : `prepared_${(this.#count += 1)}`;
    const closing = this.#closing.map(close);
    this.#closing = [];
    const messages = await this.#send([...closing, parse(name, text), describe(name), SYNC]);
    const made = { name, uses: 1, ...described(messages) };
    this.#statements.set(text, made);
    this.#dropOldest();
    return made;
  }

  #dropOldest(): void {
    if (this.#statements.size <= MOST_STATEMENTS) return;
    for (const [text, statement] of this.#statements) {
      this.#statements.delete(text);
      this.#drop(statement);
      return;
    }
  }

  #drop({ name }: Statement): void {
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
    return await this.#engine.execProtocolStream(Buffer.concat(messages), { syncToFs: false });
  }
}

function described(messages: readonly Message[]): Pick<Statement, "parameterTypes" | "fields"> {
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
      affectedRows += affectedBy(message.text as string);
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

/** From a command tag such as "INSERT 0 5"; rows that were only read count nothing. */
const affectedBy = (tag: string): number =>
  /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)\b/.test(tag)
    ? Number(tag.slice(tag.lastIndexOf(" ") + 1))
    : 0;

// Messages of the client, PostgreSQL's "Message Formats": a letter, the length from there on, the contents.

function message(letter: string, contents: Buffer): Buffer {
  const made = Buffer.allocUnsafe(5 + contents.length);
  made.write(letter, 0, "latin1");
  made.writeInt32BE(4 + contents.length, 1);
  contents.copy(made, 5);
  return made;
}

const SYNC = message("S", Buffer.alloc(0));
/** The unnamed portal, all rows. */
const EXECUTE = message("E", Buffer.alloc(5));

const parse = (name: string, text: string): Buffer =>
  message("P", Buffer.from(`${name}\0${text}\0\0\0`));
const describe = (name: string): Buffer => message("D", Buffer.from(`S${name}\0`));
const close = (name: string): Buffer => message("C", Buffer.from(`S${name}\0`));

/** Binds the unnamed portal; parameters and results as text. */
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
