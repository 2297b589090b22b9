// Markup that makes naive parsers quadratic or overflows their stack. Passes if the page is
// answered in time and another page is read meanwhile.
import { reportBroke, reportHeld, type HostileCase } from "../hostile-case.ts";
import { describeReply } from "../target.ts";

const TIMEOUT_MS = 30_000;

/** `build` makes the body of the page; `count` is its size, 100,000 at full size. */
export const buildMarkupTrap = (
  name: string,
  attack: string,
  build: (count: number) => string,
): HostileCase => ({
  name,
  attack: `A page has ${attack}.`,
  promise: "The page is answered within its time; other pages are read meanwhile.",
  severity: "medium",
  budgetMs: 90_000,
  async run({ target, site, isSmall }) {
    const html = `<!doctype html><title>Trap</title><body>${build(isSmall ? 20_000 : 100_000)}`;
    const page = site.serve("markup", html);
    const options = { formats: ["markdown", "html", "links"], onlyMainContent: true };
    const [reply, fault] = await Promise.all([
      target.scrape(page.url, options, TIMEOUT_MS),
      target.explainNotAlive(TIMEOUT_MS),
    ]);
    if (page.requests() === 0)
      return reportBroke(`the page was never asked for: ${describeReply(reply)}`);
    if (reply.status === 0) return reportBroke(describeReply(reply));
    if (fault !== undefined) return reportBroke(`beside it ${fault}`);
    return reportHeld(`${html.length} characters: ${describeReply(reply)}`);
  },
});
