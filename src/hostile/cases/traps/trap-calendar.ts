// A calendar whose next month always exists: there are as many pages as numbers.
import { runTrapCrawl, endlessSite, respondWithLinks } from "../../families/crawl-trap.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const trapCalendar: HostileCase = {
  ...endlessSite,
  name: "trap-calendar",
  attack: "A calendar links to the next month without end.",
  run: (context) =>
    runTrapCrawl(
      context,
      respondWithLinks((path) => {
        const month = Number(/month=(\d+)/.exec(path)?.[1] ?? 0);
        return [1, 2, 3].map((step) => `?month=${month + step}`);
      }),
    ),
};
