// Session ids in links make every page look new.
import { runTrapCrawl, endlessSite, respondWithLinks } from "../../families/crawl-trap.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const trapSessions: HostileCase = {
  ...endlessSite,
  name: "trap-sessions",
  attack: "Every link carries a new session id.",
  run: (context) =>
    runTrapCrawl(
      context,
      respondWithLinks(() =>
        Array.from({ length: 20 }, () => `?sid=${Math.random().toString(36).slice(2)}`),
      ),
    ),
};
