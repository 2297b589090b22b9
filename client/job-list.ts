import type { Call } from "./transport.ts";
import type { JobListQuery } from "./wire.ts";

/** The query as it stands in the address. */
export const encodeJobQuery = ({ kind, ...rest }: JobListQuery): NonNullable<Call["query"]> => ({
  ...rest,
  kind: typeof kind === "object" ? kind.join(",") : kind,
});
