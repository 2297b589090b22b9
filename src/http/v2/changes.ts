// Histories of pages that were scraped with changeTracking.
import type { HistoryDiffQuery, HistoryListQuery } from "../../contract/page/change-history.ts";
import type { PageHistories } from "../../scrape/page-histories.ts";
import type { Call, Handlers } from "../route.ts";

export type ChangeRouteParts = { readonly histories: () => Promise<PageHistories> };

type Id = { readonly id: string };

export const createChangeHandlers = ({ histories }: ChangeRouteParts): Handlers => ({
  "GET /v2/changes": async ({ identity, query }: Call<unknown, HistoryListQuery>) => ({
    success: true,
    ...(await (await histories()).list(identity, query)),
  }),
  "GET /v2/changes/:id": async ({ identity, params }: Call<unknown, unknown, Id>) => ({
    success: true,
    ...(await (await histories()).read(identity, params.id)),
  }),
  "GET /v2/changes/:id/diff": async ({
    identity,
    params,
    query,
  }: Call<unknown, HistoryDiffQuery, Id>) => ({
    success: true,
    ...(await (await histories()).compare(identity, params.id, query)),
  }),
  "GET /v2/changes/:id/versions/:version": async ({
    identity,
    params,
  }: Call<unknown, unknown, Id & { readonly version: string }>) => ({
    success: true,
    ...(await (await histories()).readVersion(identity, params.id, params.version)),
  }),
});
