// Where a request of the account is shown. Pure.
export type HistoryEntry = {
  readonly id: string;
  readonly endpoint: string;
  readonly created_at: string;
  readonly target: string | null;
  readonly api_key?: { readonly name: string | null };
};

const JOB_SCREENS: Readonly<Record<string, string>> = {
  crawl: "/console/jobs/crawl/",
  batch_scrape: "/console/jobs/batch/",
  extract: "/console/jobs/extract/",
  agent: "/console/agents/",
};
const MONITOR_SCREEN = "/console/changes/monitors/";

/** Screen that shows the request and its result; undefined where neither is kept. */
export function findHistoryPath({ id, endpoint, target }: HistoryEntry): string | undefined {
  if (endpoint === "scrape")
    return target === null ? undefined : `/?scrape=${encodeURIComponent(id)}`;
  const screen = JOB_SCREENS[endpoint];
  if (screen !== undefined) return `${screen}${encodeURIComponent(id)}`;
  if (endpoint === "monitor")
    return target === null ? undefined : `${MONITOR_SCREEN}${encodeURIComponent(target)}`;
  if (target === null || (endpoint !== "map" && endpoint !== "search")) return undefined;
  return `/?mode=${endpoint}&url=${encodeURIComponent(target)}`;
}

/** As in src/contract/page/upload-host.ts, which browsers do not load. */
const FILE_HOST = "upload.invalid";

/** Name of a parsed file, which the server stores as the address of a host that does not exist. */
export function findFileName(target: string): string | undefined {
  const start = `http://${FILE_HOST}/`;
  const name = target.startsWith(start) ? target.slice(start.length) : "";
  if (name === "" || name.includes("/")) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
