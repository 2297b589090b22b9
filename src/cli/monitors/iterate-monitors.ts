import type { Monitors } from "../../../client/monitors.ts";
import type { Monitor } from "../../../client/wire.ts";

const PAGE_SIZE = 100;

/** Yields all monitors, newest first. Servers that ignore `cursor` are read by `offset`. */
export async function* iterateMonitors(
  monitors: Pick<Monitors, "list">,
): AsyncGenerator<Monitor, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let takesCursor = true;
  for (;;) {
    const place = takesCursor ? { cursor } : { offset: seen.size };
    const page = await monitors.list({ limit: PAGE_SIZE, ...place });
    const isRepeated = page[0] !== undefined && seen.has(page[0].id);
    if (isRepeated && !takesCursor) return;
    if (isRepeated) {
      takesCursor = false;
      continue;
    }
    for (const monitor of page) {
      if (!seen.has(monitor.id)) yield monitor;
      seen.add(monitor.id);
    }
    if (page.length < PAGE_SIZE) return;
    cursor = page.at(-1)?.id;
  }
}
