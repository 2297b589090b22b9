// The order of test files. Files that wait for long go first, so that the others fill the other workers and all workers end at
// about the same time; a checkout without results of an earlier run has no durations to sort by.
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The unit tests come last: their short files fill the workers to the end. */
const PROJECTS = ["contract", "compliance", "browser", "console", "golden", "architecture", "unit"];

/** Files of more than 20 seconds on two cores: by project, the longest first. */
const LONG = [
  "test/contract/command-line/command-line.test.ts",
  "test/contract/browser/tasks.test.ts",
  "test/contract/command-line/command-line-json.test.ts",
  "test/contract/command-line/command-line-monitor.test.ts",
  "test/contract/scrape/hostile-web.test.ts",
  "test/contract/browser/interact-tasks.test.ts",
  "test/contract/command-line/command-line-jobs.test.ts",
  "test/contract/crawl/crawl-patience.test.ts",
  "test/contract/command-line/command-line-faults.test.ts",
  "test/contract/command-line/data-commands.test.ts",
  "test/contract/command-line/command-line-exit-codes.test.ts",
  "test/contract/extract/understanding.test.ts",
  "test/contract/jobs/storage-outage.test.ts",
  "test/contract/browser/interact.test.ts",
  "test/contract/scrape/scrape-cache.test.ts",
  "test/contract/crawl/crawl-site.test.ts",
  "test/contract/scrape/actions.test.ts",
  "test/contract/mcp/mcp-tools.test.ts",
  "test/contract/server/odd-text.test.ts",
  "test/contract/documents/parse.test.ts",
  "test/contract/server/tracing.test.ts",
  "test/contract/scrape/ladder.test.ts",
  "test/contract/crawl/crawl.test.ts",
  "test/contract/monitors/monitor-targets.test.ts",
  "test/contract/agent/agent-questions.test.ts",
  "test/contract/mcp/mcp.test.ts",
  "test/contract/command-line/command-line-changes.test.ts",
  "test/contract/agent/agent-orders.test.ts",
  "test/contract/monitors/monitor-fields.test.ts",
  "test/contract/scrape/hostile.test.ts",
  "test/contract/browser/interact-prompt.test.ts",
  "test/contract/crawl/crawling-guide.test.ts",
  "test/contract/command-line/command-line-agent.test.ts",
  "test/contract/scrape/reading-progress.test.ts",
  "test/compliance/monitor-days.test.ts",
  "test/compliance/kills.test.ts",
  "test/compliance/agent-runs.test.ts",
  "test/compliance/database-outage.test.ts",
  "test/compliance/memory.test.ts",
  "test/compliance/database.test.ts",
  "test/compliance/roles.test.ts",
  "test/compliance/job-list.test.ts",
  "test/compliance/event-loop.test.ts",
  "test/compliance/monitors.test.ts",
  "src/sandbox/escape.browser.test.ts",
  "test/browser/hostile-output.test.ts",
  "test/browser/shared-pages.test.ts",
  "test/browser/pool.test.ts",
  "src/browser/screenshot/screenshot.browser.test.ts",
  "src/sandbox/idioms.browser.test.ts",
  "src/sandbox/escape-bounds.browser.test.ts",
  "src/browser/actions/run-actions.browser.test.ts",
  "test/browser/growing-pages.test.ts",
  "test/browser/rendering.test.ts",
  "test/browser/hostile-pages.test.ts",
  "test/browser/fetching-less.test.ts",
  "test/browser/browser-kills.test.ts",
  "test/browser/virtual-lists.test.ts",
  "test/console/screens.test.ts",
  "test/console/work.test.ts",
  "test/console/hostile.test.ts",
  "test/console/changes.test.ts",
  "test/golden/extreme-structure.test.ts",
  "src/monitors/check-page.simulation.test.ts",
  "src/formats/threads/pool.test.ts",
  "src/documents/pool.test.ts",
];

const root = path.resolve(import.meta.dirname, "..");

/** The place in a list; what is not in it comes after it. */
function placeIn(list: readonly string[], entry: string): number {
  const place = list.indexOf(entry);
  return place === -1 ? list.length : place;
}

/** Projects in order, one after the other; in each the long files first, then the larger ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placed = (await super.sort(files)).map((file) => ({
      file,
      project: placeIn(PROJECTS, file.project.name),
      long: placeIn(LONG, path.relative(root, file.moduleId).replaceAll("\\", "/")),
    }));
    return placed
      .toSorted((one, other) => one.project - other.project || one.long - other.long)
      .map(({ file }) => file);
  }
}
