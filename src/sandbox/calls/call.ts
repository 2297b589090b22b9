import type { BrowserContext, Locator, Page } from "playwright-core";
import type { z } from "zod";

/** One method the code may call: what it takes and what is done. */
export type Call<Receiver> = {
  readonly run: (receiver: Receiver, values: readonly unknown[]) => unknown;
};

export type Calls<Receiver> = Readonly<Record<string, Call<Receiver>>>;
export type PageCalls = Calls<Page>;
export type LocatorCalls = Calls<Locator>;
export type ContextCalls = Calls<BrowserContext>;

/** As it comes out of JSON: a field is there or it is not, never undefined. */
type Given<Value> = Value extends
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | ((...values: never) => unknown)
  | readonly unknown[]
  | { page(): unknown }
  ? Value
  : { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** The part of Playwright that takes functions and values of the page, whose own types follow every value to its depth. */
export type Evaluating = {
  evaluate(run: unknown, value: unknown, options?: object): Promise<unknown>;
  evaluateAll(run: unknown, value: unknown): Promise<unknown>;
  dispatchEvent(name: string, value: unknown, options?: object): Promise<void>;
  waitForFunction(
    run: unknown,
    value: unknown,
    options: object,
  ): Promise<{ jsonValue(): Promise<unknown>; dispose(): Promise<void> }>;
};

/** Checks the arguments against one schema each, in order; further ones are refused. */
export function allow<Receiver, const Schemas extends readonly z.ZodType[]>(
  schemas: Schemas,
  run: (
    receiver: Receiver,
    ...values: { [At in keyof Schemas]: Given<z.output<Schemas[At]>> }
  ) => unknown,
): Call<Receiver> {
  return {
    run: (receiver, given) => {
      if (given.length > schemas.length)
        throw new TypeError(`It takes at most ${schemas.length} arguments.`);
      const values = schemas.map((schema, at) =>
        check(schema, given[at] ?? undefinedFor(given, at), at),
      );
      return run(receiver, ...(values as { [At in keyof Schemas]: Given<z.output<Schemas[At]>> }));
    },
  };
}

/** JSON has no undefined in a list: it arrives as null. */
function undefinedFor(given: readonly unknown[], at: number): unknown {
  return at < given.length - 1 || given[at] === null ? undefined : given[at];
}

function check(schema: z.ZodType, value: unknown, at: number): unknown {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where =
    issue === undefined || issue.path.length === 0 ? "" : ` ${issue.path.map(String).join(".")}:`;
  throw new TypeError(`Argument ${at + 1}:${where} ${issue?.message ?? "not allowed here"}`);
}
