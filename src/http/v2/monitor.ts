// Routes of monitors: create, list, update and run them, and read their checks and notifications.
import type {
  MonitorDryRun,
  MonitorFeedback,
  MonitorOptions,
  MonitorTest,
  MonitorUpdate,
} from "../../contract/jobs/monitor.ts";
import type { Monitor } from "../../contract/jobs/monitor-report.ts";
import { showCheck, showMonitor, showPage, toIso } from "../../monitors/show-monitor.ts";
import type { MonitorListQuery } from "../../monitors/list-monitors.ts";
import type { Delivery, Monitors } from "../../monitors/monitors.ts";
import type { MonitorRecord } from "../../store/monitors/monitors.ts";
import { FEED_PATH } from "../monitor-feeds.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";

export type MonitorRouteParts = {
  readonly monitors: Monitors;
  readonly address: PublicAddress;
};

type Id = { readonly id: string };
type Paging = { readonly limit?: number; readonly offset?: number };
type CheckPaging = { readonly limit?: number; readonly skip?: number; readonly status?: string };

const DEFAULT_PAGES = 100;

export function createMonitorHandlers({ monitors, address }: MonitorRouteParts): Handlers {
  const show = (record: MonitorRecord, request: Call["request"]): Monitor =>
    showMonitor(record, {
      now: Date.now(),
      feedUrl: address(request, `${FEED_PATH}/${record.feedToken}`),
    });
  return {
    "POST /v2/monitor": async ({ body, identity, request }: Call<MonitorOptions>) => ({
      success: true,
      data: show(await monitors.create(body, identity, address(request, "")), request),
    }),
    "POST /v2/monitor/estimate": async ({ body, identity }: Call<MonitorOptions>) => {
      const { schedule, nextRuns, creditsPerMonth } = await monitors.estimate(body, identity);
      return {
        success: true,
        data: {
          schedule,
          nextRuns: nextRuns.map((at) => toIso(at)),
          estimatedCreditsPerMonth: creditsPerMonth,
        },
      };
    },
    "GET /v2/monitor": async ({ query, identity, request }: Call<unknown, MonitorListQuery>) => {
      const { monitors: records, cursor } = await monitors.list(identity, query);
      return { success: true, data: records.map((record) => show(record, request)), cursor };
    },
    "GET /v2/monitor/:id": async ({ params, identity, request }: Call<unknown, unknown, Id>) => ({
      success: true,
      data: show(await monitors.find(params.id, identity), request),
    }),
    "PATCH /v2/monitor/:id": async ({
      params,
      body,
      identity,
      request,
    }: Call<MonitorUpdate, unknown, Id>) => ({
      success: true,
      data: show(await monitors.update(params.id, body, identity, address(request, "")), request),
    }),
    "DELETE /v2/monitor/:id": async ({ params, identity }: Call<unknown, unknown, Id>) => {
      await monitors.remove(params.id, identity);
      return { success: true };
    },
    "POST /v2/monitor/:id/run": async ({ params, identity }: Call<unknown, unknown, Id>) => {
      const check = await monitors.run(params.id, identity);
      return { success: true, id: check.id, data: showCheck(check) };
    },
    "GET /v2/monitor/:id/checks": async ({
      params,
      query,
      identity,
    }: Call<unknown, Paging & { readonly status?: string }, Id>) => ({
      success: true,
      data: (await monitors.listChecks(params.id, identity, query)).map(showCheck),
    }),
    "GET /v2/monitor/:id/checks/:checkId": async ({
      params,
      query,
      identity,
      request,
    }: Call<unknown, CheckPaging, Id & { readonly checkId: string }>) => {
      const { limit = DEFAULT_PAGES, skip = 0, status } = query;
      const { id, checkId } = params;
      const filter = { skip, limit: limit + 1, status };
      const { check, pages } = await monitors.check(id, checkId, identity, filter);
      const rest = status === undefined ? "" : `&status=${status}`;
      const next =
        pages.length > limit
          ? address(
              request,
              `/v2/monitor/${id}/checks/${checkId}?limit=${limit}&skip=${skip + limit}${rest}`,
            )
          : null;
      const base = address(request, "");
      const shown = pages.slice(0, limit).map((page) => showPage(page, base));
      return {
        success: true,
        next,
        data: { ...showCheck(check), pages: shown, next },
      };
    },
    "GET /v2/monitor/:id/deliveries": async ({
      params,
      query,
      identity,
    }: Call<unknown, Paging, Id>) => ({
      success: true,
      data: (await monitors.listDeliveries(params.id, identity, query)).map(showDelivery),
    }),
    "POST /v2/monitor/:id/test": async ({
      params,
      body,
      identity,
    }: Call<MonitorTest, unknown, Id>) => ({
      success: true,
      data: await monitors.test(params.id, body?.channel, identity),
    }),
    "POST /v2/monitor/:id/feedback": async ({
      params,
      body,
      identity,
      request,
    }: Call<MonitorFeedback, unknown, Id>) => ({
      success: true,
      data: show(await monitors.recordFeedback(params.id, body, identity), request),
    }),
    "POST /v2/monitor/:id/dry-run": async ({
      params,
      body,
      identity,
    }: Call<MonitorDryRun, unknown, Id>) => ({
      success: true,
      data: await monitors.runDryRun(params.id, body, identity),
    }),
  };
}

function showDelivery(entry: Delivery) {
  const { id, checkId, channel, recipient, event, state, attempts, createdAt, statusCode, error } =
    entry;
  return {
    id,
    checkId,
    channel,
    ...(recipient !== undefined && { recipient }),
    event,
    state,
    attempts,
    createdAt: toIso(createdAt),
    ...(state === "waiting"
      ? { nextAttemptAt: toIso(entry.dueAt) }
      : { endedAt: toIso(entry.endedAt) }),
    ...(statusCode !== null && { statusCode }),
    ...(error !== null && { error }),
  };
}
