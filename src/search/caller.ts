import type { Identity } from "../account/identity.ts";

/** The caller of a search, and the request it came with. */
export type SearchCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The base URL of this server as the caller reaches it. */
  readonly base?: string | undefined;
  readonly signal: AbortSignal;
  /** The API version of the caller, for the activity list. */
  readonly apiVersion?: "v1" | "v2";
};
