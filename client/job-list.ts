import type { Call } from "./transport.ts";
import type { JobListQuery } from "./wire.ts";

/** Encodes the query for the URL. */
export const encodeJobQuery = ({ kind, ...rest }: JobListQuery): NonNullable<Call["query"]> => ({
  ...rest,
  kind: typeof kind === "object" ? kind.join(",") : kind,
});
