// Target of a job's events, decided when the job starts.
import { JOB_KINDS } from "../contract/jobs/kinds.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { RequestError } from "../errors.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { checkFixedHost } from "../egress/fixed-host.ts";

/** Replaced by the job's id in the deployment's URL (setting QUARRY_WEBHOOK_URL). */
const PLACEHOLDER = "{jobId}";

/** Returns the webhook of a job: the caller's, or the deployment's, or undefined. */
export function resolveWebhook(
  given: Webhook | null | undefined,
  { defaultUrl, jobId }: { readonly defaultUrl: string | undefined; readonly jobId: string },
): Webhook | undefined {
  if (given !== null && given !== undefined) return given;
  if (defaultUrl === undefined) return undefined;
  const url = defaultUrl.replaceAll(PLACEHOLDER, encodeURIComponent(jobId));
  return { url, headers: {}, metadata: {}, events: [...JOB_KINDS.crawl.events], isDefault: true };
}

/** Rejects, with BAD_REQUEST, a webhook on an address or local name that may not be reached. */
export async function checkWebhook(
  { url }: Pick<Webhook, "url">,
  egress: Pick<Egress, "check">,
): Promise<void> {
  try {
    await checkFixedHost(new URL(url), egress);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const message = `webhook: ${error.message}`;
    throw new RequestError("BAD_REQUEST", message, {
      details: [{ code: "custom", path: ["webhook", "url"], message }],
      cause: error,
    });
  }
}
