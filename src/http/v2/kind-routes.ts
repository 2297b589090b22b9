// Routes that jobs of every kind have: reading, cancelling, and the log of deliveries.
import {
  MAX_DELIVERIES,
  type DeliveryListResponse,
  type RedeliveryParams,
  type RedeliveryResponse,
} from "../../contract/jobs/delivery.ts";
import { JOB_KINDS, type JobKindName } from "../../contract/jobs/kinds.ts";
import { RequestError } from "../../errors.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import type { DeliveryLogEntry, DeliveryStore } from "../../store/jobs/webhook-deliveries.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handler, Handlers } from "../route.ts";
import { toCancelBody, toStateBody } from "./job-status.ts";

export type KindRouteParts = {
  /** Resolves once the database is open. */
  readonly jobs: () => Promise<Jobs>;
  readonly address: PublicAddress;
};

type Id = { readonly id: string };
type Paging = { readonly skip?: number; readonly limit?: number };

/** Reading and cancelling jobs of a kind. `show` returns what only this kind shows. */
export function createKindHandlers(
  name: JobKindName,
  parts: KindRouteParts,
  show: (job: JobRecord) => object,
): Handlers {
  const { path } = JOB_KINDS[name];
  return {
    [`GET ${path}/:id`]: createReadHandler(name, parts, show),
    [`DELETE ${path}/:id`]: async ({ params, identity }: Call<unknown, unknown, Id>) => {
      const state = await (await parts.jobs()).cancel(name, params.id, identity);
      return toCancelBody("job", state, state === "cancelled");
    },
  };
}

/** `GET path/:id` of a kind, also for a second path. */
export function createReadHandler(
  name: JobKindName,
  { jobs }: KindRouteParts,
  show: (job: JobRecord) => object,
): Handler {
  return async ({ params, identity }: Call<unknown, unknown, Id>) => {
    const job = await (await jobs()).find(name, params.id, identity);
    const { state, error, warnings } = job;
    return {
      ...toStateBody({
        ...job,
        status: state === "scraping" ? "processing" : state,
        error: error?.message,
        code: error?.code,
        warning: warnings.length === 0 ? undefined : warnings.join(" "),
      }),
      ...show(job),
    };
  };
}

/** The log of deliveries of jobs of all kinds, and sending one again. */
export function createDeliveryHandlers(
  parts: KindRouteParts & {
    readonly deliveries: () => Promise<Pick<DeliveryStore, "log" | "redeliver">>;
  },
): Handlers {
  const names = Object.keys(JOB_KINDS) as JobKindName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const { path } = JOB_KINDS[name];
      const list = async ({
        params,
        query,
        identity,
        request,
      }: Call<unknown, Paging, Id>): Promise<DeliveryListResponse> => {
        const { id } = await (await parts.jobs()).find(name, params.id, identity);
        const { skip = 0, limit = MAX_DELIVERIES } = query;
        const found = await (await parts.deliveries()).log(id, { skip, limit: limit + 1 });
        const next = `${path}/${id}/webhooks?skip=${skip + limit}&limit=${limit}`;
        return {
          success: true,
          id,
          deliveries: found.slice(0, limit).map(toDelivery),
          ...(found.length > limit ? { next: parts.address(request, next) } : {}),
        };
      };
      const redeliver = async ({
        params,
        identity,
      }: Call<unknown, unknown, RedeliveryParams>): Promise<RedeliveryResponse> => {
        const { id } = await (await parts.jobs()).find(name, params.id, identity);
        const { webhookId } = params;
        if (!(await (await parts.deliveries()).redeliver(id, webhookId)))
          throw new RequestError("NOT_FOUND", `The job has no event ${webhookId}.`);
        return { success: true, id, webhookId };
      };
      return [
        [`GET ${path}/:id/webhooks`, list],
        [`POST ${path}/:id/webhooks/:webhookId`, redeliver],
      ];
    }),
  );
}

const toIso = (at: number): string => new Date(at).toISOString();

function toDelivery(entry: DeliveryLogEntry): DeliveryListResponse["deliveries"][number] {
  const { id, type, state, attempts, statusCode, error } = entry;
  return {
    webhookId: id,
    type,
    state,
    attempts,
    createdAt: toIso(entry.createdAt),
    ...(state === "waiting" ? { nextAttemptAt: toIso(entry.at) } : { endedAt: toIso(entry.at) }),
    ...(statusCode === null ? {} : { statusCode }),
    ...(error === null ? {} : { error }),
  };
}
