import type { BrowserContext, Locator, Page } from "playwright-core";
import type { z } from "zod";

/** One callable method: its arguments and its effect. */
export type Call<Receiver> = {
  readonly run: (receiver: Receiver, values: readonly unknown[]) => unknown;
};

export type Calls<Receiver> = Readonly<Record<string, Call<Receiver>>>;
export type PageCalls = Calls<Page>;
export type LocatorCalls = Calls<Locator>;
export type ContextCalls = Calls<BrowserContext>;

/** As parsed from JSON: a field is present or missing, never undefined. */
type CallArgument<Value> = Value extends
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

/** Playwright methods that take page functions and values, without their deep recursive types. */
export type Evaluator = {
  evaluate(run: unknown, value: unknown, options?: object): Promise<unknown>;
  evaluateAll(run: unknown, value: unknown): Promise<unknown>;
  dispatchEvent(name: string, value: unknown, options?: object): Promise<void>;
  waitForFunction(
    run: unknown,
    value: unknown,
    options: object,
  ): Promise<{ jsonValue(): Promise<unknown>; dispose(): Promise<void> }>;
};

/** Validates the arguments, one schema each in order, and rejects additional ones. */
export function validateCall<Receiver, const Schemas extends readonly z.ZodType[]>(
  schemas: Schemas,
  run: (
    receiver: Receiver,
    ...values: { [At in keyof Schemas]: CallArgument<z.output<Schemas[At]>> }
  ) => unknown,
): Call<Receiver> {
  return {
    run: (receiver, given) => {
      if (given.length > schemas.length)
        throw new TypeError(`It takes at most ${schemas.length} arguments.`);
      const values = schemas.map((schema, at) =>
        check(schema, given[at] ?? findUndefined(given, at), at),
      );
      return run(
        receiver,
        ...(values as { [At in keyof Schemas]: CallArgument<z.output<Schemas[At]>> }),
      );
    },
  };
}

/** JSON lists have no undefined; it arrives as null. */
function findUndefined(given: readonly unknown[], at: number): unknown {
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
