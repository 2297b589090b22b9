// Replays the stored versions of a monitor's pages with given rules, and returns the changes that
// would have notified.
import type { MonitorDryRun } from "../contract/jobs/monitor.ts";
import type { MonitorCheckStore } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import type { PageState } from "./check-page.ts";
import { comparePages, type PageBody, type Version } from "./compare-page.ts";
import { checkConditions } from "./conditions.ts";
import { toReading, type PageReading } from "./observe.ts";
import { getSettings, type Target } from "./settings.ts";
import { getPageOptions } from "./targets.ts";

export type DryRunResult = {
  readonly targetId: string;
  readonly url: string;
  /** Fetch times of the two versions. */
  readonly from: string;
  readonly to: string;
  readonly changed: boolean;
  readonly notifies: boolean;
  readonly reason: string;
  readonly diff?: string;
};

const MAX_PAGES = 200;
const MAX_DIFF_CHARACTERS = 5_000;

const readingOf = (target: Target): Pick<PageReading, "fieldsOnly" | "picture"> => {
  const options = getPageOptions(target);
  if (options === undefined || !("scope" in target)) return { fieldsOnly: false };
  return toReading(options.formats, target.scope);
};

export async function runDryRun(
  checks: Pick<MonitorCheckStore, "listKnownUrls" | "listHistory">,
  monitor: MonitorRecord,
  rules: MonitorDryRun,
): Promise<DryRunResult[]> {
  const settings = getSettings(monitor);
  const detection = rules?.detection ?? settings.detection;
  const when = rules?.when === undefined ? settings.when : rules.when;
  const results: DryRunResult[] = [];
  for (const target of settings.targets) {
    const known = await checks.listKnownUrls(monitor.id, target.id);
    for (const { url, state } of known.slice(0, MAX_PAGES)) {
      const history = await checks.listHistory(monitor.id, { targetId: target.id, url });
      const versions: Version[] = [];
      for (const version of history.versions.toReversed()) {
        const body = (await version.load()) as PageBody | undefined;
        if (body !== undefined) versions.push({ ...body, fetchedAt: version.fetchedAt });
      }
      const { noise } = state as PageState;
      for (const [index, current] of versions.entries()) {
        const previous = versions[index - 1];
        if (previous === undefined) continue;
        const earlier = async () => versions.slice(0, index - 1);
        const difference = await comparePages(previous, current, earlier, {
          detection,
          noise,
          ...readingOf(target),
        });
        const { added, removed, diff, changed } = difference;
        const facts = { title: null, statusCode: 200, finalUrl: url };
        const verdict = checkConditions(when, {
          previous: { ...previous, ...facts },
          current: { ...current, ...facts },
          added,
          removed,
        });
        results.push({
          targetId: target.id,
          url,
          from: new Date(previous.fetchedAt).toISOString(),
          to: new Date(current.fetchedAt).toISOString(),
          changed,
          notifies: changed && verdict.notifies,
          reason: changed ? verdict.reason : "Nothing that counts differs.",
          ...(diff !== undefined && { diff: diff.text.slice(0, MAX_DIFF_CHARACTERS) }),
        });
      }
    }
  }
  return results;
}
