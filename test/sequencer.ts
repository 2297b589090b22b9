// The order of test files. Files that wait for long go first, so that the others fill the other workers and all workers end at
// about the same time; a checkout without results of an earlier run has no durations to sort by.
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The unit tests come last: their short files fill the workers to the end. */
const PROJECTS = ["contract", "compliance", "browser", "console", "golden", "architecture", "unit"];

/** Files of more than 20 seconds on two cores, the longest first. */
const LONG = [
  "test/contract/hostile-web.test.ts",
  "test/contract/hostile-floods.test.ts",
  "test/contract/command-line.test.ts",
  "test/contract/tasks.test.ts",
  "test/contract/interact-tasks.test.ts",
  "test/contract/crawl-patience.test.ts",
  "test/contract/crawl-site.test.ts",
  "test/contract/command-line-json.test.ts",
  "test/contract/command-line-exit-codes.test.ts",
  "test/contract/command-line-faults.test.ts",
  "test/contract/command-line-jobs.test.ts",
  "test/contract/interact.test.ts",
  "test/contract/storage-outage.test.ts",
  "test/contract/crawl.test.ts",
  "test/contract/crawling-guide.test.ts",
  "test/contract/command-line-changes.test.ts",
  "test/contract/odd-text.test.ts",
  "test/compliance/agent-runs.test.ts",
  "test/compliance/queue.test.ts",
  "test/compliance/database-outage.test.ts",
  "test/compliance/compose.test.ts",
  "test/compliance/roles.test.ts",
  "test/compliance/kills.test.ts",
  "test/browser/hostile-output.test.ts",
  "src/sandbox/escape.browser.test.ts",
  "test/browser/pool.test.ts",
  "src/browser/screenshot/screenshot.browser.test.ts",
  "src/browser/actions/run-actions.browser.test.ts",
  "src/sandbox/escape-bounds.browser.test.ts",
  "test/golden/extreme-structure.test.ts",
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
