import { MAX_DELIVERIES, type DeliveryListResponse } from "../../contract/jobs/delivery.ts";
import type { Identity } from "../../account/identity.ts";
import type { DeliveryLogEntry, DeliveryStore } from "../../store/jobs/webhook-deliveries.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";

export type DeliveryRouteParts = {
  /** Resolves once the database is open. */
  readonly jobs: () => Promise<{
    /** Throws NOT_FOUND for a job that the caller may not read. */
    report(id: string, identity: Identity): Promise<{ readonly id: string }>;
  }>;
  readonly deliveries: () => Promise<Pick<DeliveryStore, "log">>;
  readonly address: PublicAddress;
};

type Paging = { readonly skip?: number; readonly limit?: number };

/** The delivery log of a job below `path`, such as /v2/crawl. */
export function createDeliveryHandlers(path: string, parts: DeliveryRouteParts): Handlers {
  return {
    [`GET ${path}/:id/webhooks`]: async ({
      params,
      query,
      identity,
      request,
    }: Call<unknown, Paging, { id: string }>): Promise<DeliveryListResponse> => {
      const { id } = await (await parts.jobs()).report(params.id, identity);
      const { skip = 0, limit = MAX_DELIVERIES } = query;
      const found = await (await parts.deliveries()).log(id, { skip, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const next = `${path}/${id}/webhooks?skip=${skip + limit}&limit=${limit}`;
      return {
        success: true,
        id,
        deliveries: shown.map(toDelivery),
        ...(found.length > limit ? { next: parts.address(request, next) } : {}),
      };
    },
  };
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
