// The request that started a job: what was chosen, and the secrets that are left out.
import type { JobRequestResponse } from "../../../../contract/jobs/job-request.ts";
import { call } from "../../data/api.ts";
import { loadBodySchema } from "../../data/contract.ts";
import { selectGivenOptions } from "../playground/given-options.ts";
import type { Mode, Options } from "../playground/modes.ts";
import { buildApiPath } from "./job-facts.ts";

export type StoredJob = {
  /** The body with all defaults. */
  readonly request: Options;
  /** Without defaults. */
  readonly given: Options;
  readonly omitted: readonly string[];
};

export async function loadStoredJob(
  kind: string,
  id: string,
  signal: AbortSignal,
): Promise<StoredJob> {
  const { path, request, omitted } = await call<JobRequestResponse>(
    "GET",
    `${buildApiPath(kind, id)}/request`,
    { signal },
  );
  // These two fields name the client of the earlier request; this console sends its own.
  const { origin: _, integration: __, ...chosen } = request;
  const given = selectGivenOptions(chosen, await loadBodySchema(path));
  return { request, given, omitted };
}

/** Splits the body into the text of the playground's bar and its options. */
export function splitSubject(
  { field }: Pick<Mode, "field">,
  given: Options,
): { readonly subject: string; readonly options: Options } {
  const { [field]: value, ...options } = given;
  const subject = Array.isArray(value) ? value.join("\n") : typeof value === "string" ? value : "";
  return { subject, options };
}
