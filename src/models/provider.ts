// Wire format of a provider: writes requests and reads answers. create-language-model.ts chooses
// the modes.
import type { ModelAnswer, ModelRequest } from "./model.ts";
import type { Post } from "./transport.ts";
import { isObject } from "../runtime/is-object.ts";

/** Strictness of a JSON request: by schema, as any JSON object, or only in words. */
export type JsonMode = "schema" | "object" | "prompt";

/** Features that a server turned out not to support. */
export type Quirks = {
  readonly noTemperature: boolean;
  /** Uses the other name of the output token limit. */
  readonly otherTokenLimit: boolean;
};

export type Provider = {
  /** Strictest first. */
  readonly jsonModes: readonly JsonMode[];
  write(request: ModelRequest, mode: JsonMode | undefined, quirks: Quirks): Post;
  /** Returns undefined if the answer does not have the provider's shape. */
  read(json: unknown): ModelAnswer | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** Returns the value as an object, empty if it is not one. */
export const toFields = (value: unknown): Fields => (isObject(value) ? value : {});

export const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

export const toCount = (value: unknown): number =>
  typeof value === "number" && value >= 0 ? Math.round(value) : 0;

/** Parses the arguments of a tool call. */
export function parseArguments(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
