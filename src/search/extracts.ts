// The public operations of extraction: data from several pages as one answer, a durable job over
// scrapes with the json format.
import { assertHostAllowed } from "../account/allow-hosts.ts";
import { v7 } from "uuid";
import type { Credits } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import type { ExtractOptions } from "../contract/jobs/extract.ts";
import { findUrlFault, resolveUrl } from "../contract/request/url.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { LimitError, RequestError } from "../errors.ts";
import type { StorageWaits } from "../queue/storage-waits.ts";
import type { ActivityStore } from "../store/accounts/activity.ts";
import type { ExtractRecord, ExtractStore } from "../store/jobs/extracts.ts";
import type { KeptExtract } from "./extract-job.ts";

export type ExtractCaller = {
  readonly identity: Identity;
  readonly apiVersion?: "v1" | "v2";
};

export type StartedExtract = {
  readonly id: string;
  /** URLs that were left out; undefined when the caller wants them rejected. */
  readonly invalidUrls: readonly string[] | undefined;
};

export type Extracts = {
  /** Throws BAD_REQUEST, INSUFFICIENT_CREDITS, and NOT_IMPLEMENTED for zero data retention. */
  start(options: ExtractOptions, caller: ExtractCaller): Promise<StartedExtract>;
  /** Throws NOT_FOUND for a job that is unknown, expired or of another account. */
  find(id: string, identity: Identity): Promise<ExtractRecord>;
};

export type ExtractsParts = {
  readonly extracts: ExtractStore;
  readonly credits: Credits;
  readonly activity: ActivityStore;
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  /** Enqueues the job for a worker and sends its first event. */
  readonly begin: (record: ExtractRecord) => Promise<void>;
  readonly waits: StorageWaits;
  readonly lifeMs: number;
  readonly now: () => number;
};

const grantsOf = ({ limits, accountLimits, allowHosts }: Identity) => ({
  limits,
  ...(accountLimits === undefined ? {} : { accountLimits }),
  ...(allowHosts === undefined ? {} : { allowHosts }),
});

/** Credits required to start a job (wire contract, section 20). */
const MIN_CREDITS = 20;

export function createExtracts(parts: ExtractsParts): Extracts {
  const { extracts, credits, now } = parts;
  return {
    async start(options, caller) {
      if (options.zeroDataRetention || options.scrapeOptions.zeroDataRetention)
        throw new RequestError(
          "NOT_IMPLEMENTED",
          "Extraction stores its results until they are read. With zero data retention, scrape each page with the json format instead.",
        );
      const given = options.urls ?? [];
      const invalid = given.filter((url) => findUrlFault(url.replace(/\/\*+$/, "/")) !== undefined);
      const urls = given.filter((url) => !invalid.includes(url));
      if (urls.length === 0 && (given.length > 0 || options.prompt === undefined))
        throw new RequestError("BAD_REQUEST", "None of the urls can be fetched.");
      const { identity } = caller;
      for (const url of urls)
        assertHostAllowed(identity, new URL(resolveUrl(url.replace(/\/\*+$/, "/"))));
      const remaining = await credits.remaining(identity);
      if (remaining !== null && remaining < MIN_CREDITS)
        throw new LimitError(
          "INSUFFICIENT_CREDITS",
          `Insufficient credits to perform this request. An extraction needs ${MIN_CREDITS} and the key has ${remaining} left of its budget.`,
        );
      const id = v7();
      const webhook = await parts.resolveWebhook(options.webhook ?? null, id);
      const createdAt = now();
      const { webhook: _, ...asked } = options;
      const kept: KeptExtract = { ...asked, urls, webhook, ...grantsOf(identity) };
      const { accountId, keyId } = identity;
      const expiresAt = createdAt + parts.lifeMs;
      await extracts.create({ id, accountId, keyId, options: kept, createdAt, expiresAt });
      parts.activity.record({
        id,
        accountId,
        keyId,
        endpoint: "extract",
        apiVersion: caller.apiVersion ?? "v2",
        target: urls[0] ?? options.prompt?.slice(0, 500) ?? null,
        succeeded: true,
        createdAt,
      });
      const record = await extracts.load(id, createdAt);
      if (record !== undefined) await parts.begin(record);
      return { id, invalidUrls: options.ignoreInvalidURLs ? invalid : undefined };
    },
    async find(id, { accountId }) {
      const record = await extracts.load(id, now());
      if (record?.accountId === accountId)
        return { ...record, warning: parts.waits.addWarning(id, record.warning) };
      throw new RequestError("NOT_FOUND", "Extract job not found");
    },
  };
}
