// What the rules found for the json format, and what was asked of them.
import type { FormatOf } from "../../contract/page/formats.ts";
import type { Evidence } from "./finding.ts";

export type JsonDraft = {
  /** Valid against the schema but for what is missing; undefined when nothing was found. */
  readonly value: unknown;
  /** By JSON pointer. */
  readonly evidence: Readonly<Record<string, Evidence>>;
  /** Pointers of values that the page's author wrote for machines. */
  readonly strong: readonly string[];
  /** Names of properties at the top that nothing was found for. */
  readonly missing: readonly string[];
  /** Why values that were found are not in it. */
  readonly dropped: readonly string[];
};

export type JsonTask = Pick<FormatOf<"json">, "schema" | "prompt">;
