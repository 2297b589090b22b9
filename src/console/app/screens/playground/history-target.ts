// What a request of the account was about.
import type { VNode } from "preact";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { ApiError, call } from "../../data/api.ts";
import { create, dom } from "../../ui/dom.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";
import { findFileName, type HistoryEntry } from "./history-path.ts";

/** Names of monitors by id, as long as the console is open. */
const monitorNames = new Map<string, Promise<string>>();

async function loadMonitorName(id: string): Promise<string> {
  const { data } = await call<{ data: Monitor }>("GET", `/v2/monitor/${encodeURIComponent(id)}`);
  const [target] = data.targets;
  const { url: start, urls: [address = start] = [] } = (target ?? {}) as {
    readonly url?: string;
    readonly urls?: readonly string[];
  };
  return address === undefined || address === data.name ? data.name : `${data.name} · ${address}`;
}

const isDeleted = (error: Error): boolean => error instanceof ApiError && error.status === 404;

/** A check is recorded with the id of its monitor. */
function MonitorName({ id }: { readonly id: string }): VNode {
  const loaded = useLoad(() => {
    const known = monitorNames.get(id) ?? loadMonitorName(id);
    monitorNames.set(id, known);
    return known;
  }, [id]);
  return loaded.state === "failed"
    ? dom.span({ class: "faint" }, isDeleted(loaded.error) ? "a deleted monitor" : "a monitor")
    : dom.span({ title: loaded.value ?? "" }, loaded.value ?? "…");
}

/** Monitors and parsed files by their names, everything else by its address. */
export function historyTarget({ endpoint, target: given }: HistoryEntry): VNode {
  if (given === null)
    return dom.span({ class: "faint" }, endpoint.startsWith("batch") ? "several URLs" : "–");
  if (endpoint === "monitor") return create(MonitorName, { id: given });
  const fileName = findFileName(given);
  return fileName === undefined ? url(given, 70) : dom.span(null, fileName);
}
