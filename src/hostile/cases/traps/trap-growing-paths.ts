// Relative links without a base: a page at `a/` links to `a/`, so paths grow with each step.
import { runTrapCrawl, endlessSite, respondWithLinks } from "../../families/crawl-trap.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const trapGrowingPaths: HostileCase = {
  ...endlessSite,
  name: "trap-growing-paths",
  attack: "Every page links below itself, so that paths grow without end.",
  run: (context) =>
    runTrapCrawl(
      context,
      respondWithLinks((path) => (path.length > 4_000 ? [] : ["a/", "b/", "a/b/a/b/"])),
    ),
};
