import type { Identity } from "../account/identity.ts";

/** Who searches, and on which request. */
export type SearchCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The address of this server as the caller reaches it. */
  readonly base?: string | undefined;
  readonly signal: AbortSignal;
  /** Of the API the caller speaks, for the list of activity. */
  readonly apiVersion?: "v1" | "v2";
};
