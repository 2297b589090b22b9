// What a provider's wire format has to know: how a request is written, how an answer is read. The ladder decides the modes.
import type { ModelAnswer, ModelRequest } from "./model.ts";
import type { Post } from "./transport.ts";
import { isObject } from "../runtime/is-object.ts";

/** How strictly JSON is asked for: by schema, as any JSON object, or in words only. */
export type JsonMode = "schema" | "object" | "prompt";

/** What a server turned out not to take. */
export type Quirks = {
  readonly noTemperature: boolean;
  /** The other spelling of the limit on output tokens. */
  readonly otherTokenLimit: boolean;
};

export type Provider = {
  /** Strictest first. */
  readonly jsonModes: readonly JsonMode[];
  write(request: ModelRequest, mode: JsonMode | undefined, quirks: Quirks): Post;
  /** Undefined for an answer that has not the provider's shape. */
  read(json: unknown): ModelAnswer | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; empty for what is none. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const countOf = (value: unknown): number =>
  typeof value === "number" && value >= 0 ? Math.round(value) : 0;

/** Arguments of a tool call as they were written. */
export function parseArguments(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
