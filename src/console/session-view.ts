import type { Scope } from "../contract/account/scopes.ts";

/** Session data that the server writes into pages. */
export type SessionView = {
  /** `open`: the server asks for no keys. */
  readonly mode: "signed-in" | "signed-out" | "open";
  readonly csrfToken: string | null;
  readonly keyName: string | null;
  readonly scopes: readonly Scope[];
  /** ISO 8601. */
  readonly expiresAt: string | null;
  readonly version: string;
  /** API paths of jobs by kind. */
  readonly jobPaths: Readonly<Record<string, string>>;
  /** Kinds of jobs whose results are pages; others return one value. */
  readonly pageKinds: readonly string[];
};
