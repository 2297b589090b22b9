// A scripted site whose pages are edited, have noise, and are out of order for a while.
import { createRandom } from "../mutate-page.ts";

const NAMES = "harbour market library museum station bridge garden theatre bakery archive".split(
  " ",
);
const FILLER = "The town is open to visitors in every season, and its harbour is never closed. ";

const OUTAGES = ["challenge", "login", "error", "shell", "gone"] as const;
const OUTAGE_CHANCE = 0.03;
const MAX_OUTAGE_STEPS = 5;
const EDIT_CHANCE = 0.06;

type Outage = (typeof OUTAGES)[number];
type Page = { edits: number; outage: Outage | undefined; left: number; fetches: number };

export type DueAlert = {
  readonly event: "change" | "broken" | "recovered";
  readonly number: number;
  readonly step: number;
};

export type ChangingSite = {
  readonly pages: number;
  /** Moves to the next check and returns the alerts that it must cause. */
  advance(step: number): DueAlert[];
  /** Status and HTML of a page, with other noise in every fetch; undefined for an unknown page. */
  fetch(number: number, now: number): readonly [number, string] | undefined;
};

/** What a page shows besides its edits, in this fetch. */
const NOISE: readonly ((random: () => number, now: number) => string)[] = [
  () => "",
  (random) => `<p>Visitors online: ${Math.floor(random() * 900)}</p>`,
  (random, now) =>
    `<p>Rendered at ${new Date(now).toISOString()} in ${(random() * 90).toFixed(1)} ms</p>`,
  (random) => (random() < 0.5 ? "<p>Discover the town</p>" : "<p>Plan your visit today</p>"),
  (random) =>
    `<h2>Quote</h2><blockquote>${NAMES[Math.floor(random() * 10)]} and ${NAMES[Math.floor(random() * 10)]} are worth a visit</blockquote>`,
];

/** The edits alternate: a sentence, a sentence more, a price. */
const toContent = (number: number, edits: number): string =>
  `<p>Notice ${"abcdefghijklmnopqrstuvwxyz".charAt(edits % 26)}${Math.floor(edits / 3)} of the ${NAMES[number]} council.</p>` +
  (edits % 3 === 1
    ? `<p>The ${NAMES[(number + edits) % 10]} has a new door in this week.</p>`
    : "") +
  `<p>Price: ${20 + Math.floor((edits + 1) / 3)}.50 EUR</p>`;

function writePage(number: number, { edits, outage }: Page, noise: string): [number, string] {
  const title = `<title>The ${NAMES[number]}</title>`;
  switch (outage) {
    case "challenge":
      return [
        403,
        `<title>Just a moment...</title><div id="challenge-error-text">Enable JavaScript and cookies to continue</div><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`,
      ];
    case "login":
      return [
        200,
        `<title>Log in</title><main><h1>Log in</h1><p>Please log in to continue.</p><form><input name="user"><input type="password" name="password"><button>Log in</button></form></main>`,
      ];
    case "error":
      return [503, "<title>503</title><h1>Service Unavailable</h1>"];
    case "shell":
      return [200, `${title}<div id="root"></div><script src="/app.js"></script>`];
    case "gone":
      return [404, "<title>Not found</title><h1>Not found</h1>"];
    case undefined:
      return [
        200,
        `${title}<main><h1>The ${NAMES[number]}</h1><p>${FILLER.repeat(4)}</p>${toContent(number, edits)}<p>${FILLER}</p>${noise}<p>Imprint and privacy</p></main>`,
      ];
  }
}

/** `brokenAfter`: failed checks in a row until a page must be reported as broken. */
export function createChangingSite(seed: number, brokenAfter: number): ChangingSite {
  const random = createRandom(seed);
  const pages: Page[] = NAMES.map(() => ({ edits: 0, outage: undefined, left: 0, fetches: 0 }));
  const isChanged = pages.map(() => false);
  const failures = pages.map(() => 0);

  function changeOutage(page: Page, step: number): void {
    if (page.left > 0) page.left -= 1;
    else if (step > 2 && random() < OUTAGE_CHANCE)
      page.left = 1 + Math.floor(random() * MAX_OUTAGE_STEPS);
    if (page.left === 0) page.outage = undefined;
    else page.outage ??= OUTAGES[Math.floor(random() * OUTAGES.length)];
  }

  return {
    pages: pages.length,
    advance(step) {
      const due: DueAlert[] = [];
      for (const [number, page] of pages.entries()) {
        const before = page.outage;
        changeOutage(page, step);
        const isBack = before === "gone" && page.outage !== "gone";
        if (before !== "gone" && page.outage === "gone") isChanged[number] = true;
        if (step > 0 && page.outage !== "gone" && random() < EDIT_CHANCE) {
          page.edits += 1;
          isChanged[number] = true;
        }
        const failed = failures[number] ?? 0;
        if (page.outage !== undefined && page.outage !== "gone") {
          failures[number] = failed + 1;
          if (failed + 1 === brokenAfter) due.push({ event: "broken", number, step });
          continue;
        }
        failures[number] = 0;
        // One notification reports both a change and a recovery.
        if (isChanged[number] === true) due.push({ event: "change", number, step });
        else if (isBack || failed >= brokenAfter) due.push({ event: "recovered", number, step });
        isChanged[number] = false;
      }
      return due;
    },
    fetch(number, now) {
      const page = pages[number];
      if (page === undefined) return undefined;
      page.fetches += 1;
      // A generator of its own: kills change how often a page is fetched, not what happens to the site.
      const chance = createRandom(seed * 1_000_003 + number * 7_919 + page.fetches);
      return writePage(number, page, NOISE[number % NOISE.length]?.(chance, now) ?? "");
    },
  };
}
