import { MAX_MONITOR_NAME_CHARACTERS } from "../../contract/jobs/monitor.ts";

/** Names a page by its host and path; another text stays as it is. */
export function namePage(url: string): string {
  const parsed = URL.parse(url);
  const name = parsed === null ? url : `${parsed.host}${parsed.pathname.replace(/\/$/, "")}`;
  return name.slice(0, MAX_MONITOR_NAME_CHARACTERS);
}
