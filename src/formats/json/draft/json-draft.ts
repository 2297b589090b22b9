// Result of the rules for the json format, and their input.
import type { FormatOf } from "../../../contract/page/formats.ts";
import type { Evidence } from "../declared/finding.ts";

export type JsonDraft = {
  /** Valid against the schema except for missing values; undefined if nothing was found. */
  readonly value: unknown;
  /** By JSON pointer. */
  readonly evidence: Readonly<Record<string, Evidence>>;
  /** Pointers of values from machine-readable data. */
  readonly strong: readonly string[];
  /** Pointers of those that are named on the page as the property is. */
  readonly exact: readonly string[];
  /** Names of top-level properties without a value. */
  readonly missing: readonly string[];
  /** Reasons for missing values, by JSON pointer. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Reasons why found values were rejected. */
  readonly dropped: readonly string[];
  /** Required properties that most rows of a list lack: "/offers: 4 rows lack price". */
  readonly incomplete: readonly string[];
};

export type JsonTask = Pick<FormatOf<"json">, "schema" | "prompt">;
