import { coversHosts } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { MonitorRecord, MonitorStore } from "../store/monitors/monitors.ts";
import { getSettings } from "./settings.ts";

export type MonitorListQuery = {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Id of the last monitor of the previous page; `offset` counts from there. */
  readonly cursor?: string | undefined;
};

export type MonitorPage = {
  readonly monitors: readonly MonitorRecord[];
  /** Null on the last page. */
  readonly cursor: string | null;
};

/** Monitors, checks or deliveries of a page when the caller sets no limit. */
export const DEFAULT_LIMIT = 25;
/** Monitors read at once for a key that does not see all of them. */
const ROWS_PER_READ = 200;

/** Hosts of the key that created the monitor. */
export const getMonitorHosts = (monitor: MonitorRecord): readonly string[] | undefined =>
  getSettings(monitor).grants.allowHosts;

/** Newest first. Leaves out monitors that may watch hosts that the key may not fetch. */
export async function listMonitors(
  store: Pick<MonitorStore, "list">,
  { accountId, allowHosts }: Pick<Identity, "accountId" | "allowHosts">,
  { limit = DEFAULT_LIMIT, offset = 0, cursor }: MonitorListQuery,
): Promise<MonitorPage> {
  // The extra row shows that there is another page.
  const end = offset + limit + 1;
  const found: MonitorRecord[] = [];
  if (allowHosts === undefined)
    found.push(...(await store.list(accountId, { limit: limit + 1, offset, before: cursor })));
  else
    for (let before = cursor; found.length < end;) {
      const rows = await store.list(accountId, { limit: ROWS_PER_READ, offset: 0, before });
      found.push(...rows.filter((monitor) => coversHosts(allowHosts, getMonitorHosts(monitor))));
      before = rows.at(-1)?.id;
      if (rows.length < ROWS_PER_READ) break;
    }
  const rest = allowHosts === undefined ? found : found.slice(offset);
  const monitors = rest.slice(0, limit);
  return { monitors, cursor: rest.length > limit ? (monitors.at(-1)?.id ?? null) : null };
}
