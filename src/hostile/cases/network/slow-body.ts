// One byte a second keeps an idle timeout from firing; only the timeout of the scrape ends it.
import { endlessAnswer, scrapeSlowly } from "../../families/slow-body.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const slowBody: HostileCase = {
  ...endlessAnswer,
  name: "slow-body",
  attack: "A page sends one byte a second.",
  run: (context) =>
    scrapeSlowly(context, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => response.write("a"), 1_000);
      response.once("close", () => clearInterval(timer));
    }),
};
