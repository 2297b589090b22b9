// A scripted site over 200 days, checked four times a day: every real edit must be reported, and nothing else.
import { expect, it } from "vitest";
import { detectionSchema } from "../contract/jobs/monitor-rules.ts";
import { checkPage, NEW_STATE, type Observation, type PageState } from "./check-page.ts";
import type { Version } from "./compare-page.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 200;
const CHECKS_A_DAY = 4;
const START = Date.parse("2026-01-01T00:07:00Z");
const MAX_VERSIONS = 8;

/** mulberry32: the same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  "harbour market council library museum station bridge garden river school theatre bakery archive tower square mill orchard ferry quarry chapel".split(
    " ",
  );

type Scene = {
  readonly name: string;
  /** Mean days between edits. */
  readonly everyDays: number;
  /** The lines of a fetch; `edits` is how many edits were made so far. */
  lines(edits: number, random: () => number, now: number, check: number): string[];
  /** Replacement for the page at this check, and for how many checks. */
  readonly outage?: { readonly chance: number; readonly checks: number; readonly reason: string };
};

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;
const sentence = (seed: number): string => {
  const random = createRandom(seed);
  return `The ${pick(WORDS, random)} beside the ${pick(WORDS, random)} opens for visitors of the ${pick(WORDS, random)}.`;
};
const BODY = Array.from({ length: 12 }, (_, index) => sentence(9_000 + index));
const QUOTES = Array.from({ length: 40 }, (_, index) => `"${sentence(500 + index)}"`);
const ADS = Array.from({ length: 30 }, (_, index) => `Sponsored: ${sentence(700 + index)}`);
const shuffle = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** The part that edits change: a sentence in the middle. */
const edited = (edits: number): string[] => [
  ...BODY.slice(0, 6),
  `Notice: ${sentence(edits * 31 + 7)}`,
  ...BODY.slice(6),
];

const SCENES: readonly Scene[] = [
  { name: "plain page", everyDays: 9, lines: edited },
  {
    name: "price that goes up and down again",
    everyDays: 16,
    lines: (edits) => [...BODY, `Price: ${edits % 2 === 0 ? "19.90" : "24.90"} EUR`],
  },
  {
    name: "list of news that grows",
    everyDays: 5,
    lines: (edits) => [
      "News",
      ...Array.from({ length: Math.min(edits, 20) + 1 }, (_, index) =>
        sentence(3_000 + edits - index),
      ),
      ...BODY,
    ],
  },
  {
    name: "visitor counter and clock",
    everyDays: 11,
    lines: (edits, random, now) => [
      ...edited(edits),
      `Visitors online: ${Math.floor(random() * 900)}`,
      `Rendered at ${new Date(now).toISOString().slice(11, 19)} in ${(random() * 90).toFixed(1)} ms`,
    ],
  },
  {
    name: "quote of the fetch",
    everyDays: 12,
    lines: (edits, random) => ["Quote of the day", pick(QUOTES, random), ...edited(edits)],
  },
  {
    name: "advertisements between paragraphs",
    everyDays: 13,
    lines: (edits, random) => {
      const ads = Array.from({ length: Math.floor(random() * 3) }, () => pick(ADS, random));
      return [...edited(edits), "Partners", ...ads, "Imprint and privacy"];
    },
  },
  {
    name: "A/B test of a headline",
    everyDays: 14,
    lines: (edits, random) => [
      random() < 0.5 ? "Discover the town" : "Plan your visit to the town today",
      ...edited(edits),
    ],
  },
  {
    name: "page that flips between two caches",
    everyDays: 15,
    lines: (edits, _random, _now, check) => [
      check % 2 === 0
        ? "Served with the classic layout of spring"
        : "Served with the layout that replaced it",
      ...edited(edits),
    ],
  },
  {
    name: "related links in any order",
    everyDays: 12,
    lines: (edits, random) => [...edited(edits), "Related", ...shuffle(QUOTES.slice(0, 6), random)],
  },
  {
    name: "hidden token in a form",
    everyDays: 12,
    lines: (edits, random) => [
      ...edited(edits),
      `Session reference ${Math.floor(random() * 1e9).toString(36)}${Math.floor(random() * 1e9).toString(36)} for support`,
    ],
  },
  {
    name: "page behind a bot check now and then",
    everyDays: 8,
    lines: edited,
    outage: { chance: 0.06, checks: 2, reason: "a bot check" },
  },
  {
    name: "server that fails for days",
    everyDays: 10,
    lines: edited,
    outage: { chance: 0.01, checks: 9, reason: "503 Service Unavailable" },
  },
];

type Score = { right: number; wrong: number; missed: number; broken: number; outages: number };

async function simulate(scene: Scene, seed: number): Promise<Score> {
  const random = createRandom(seed);
  const score: Score = { right: 0, wrong: 0, missed: 0, broken: 0, outages: 0 };
  const detection = detectionSchema.parse({ confirmAfterSeconds: 20 });
  let state: PageState = NEW_STATE;
  const versions: Version[] = [];
  let edits = 0;
  let unreported = false;
  let nextEdit = START + random() * scene.everyDays * 2 * DAY;
  let outage = 0;
  for (let check = 0; check < DAYS * CHECKS_A_DAY; check++) {
    let now = START + (check * DAY) / CHECKS_A_DAY;
    if (now >= nextEdit) {
      edits += 1;
      if (check > 0) unreported = true;
      nextEdit = now + (0.3 + random() * 1.7) * scene.everyDays * DAY;
    }
    if (outage > 0) outage -= 1;
    else if (scene.outage !== undefined && check > 0 && random() < scene.outage.chance) {
      outage = scene.outage.checks;
      if (scene.outage.checks >= 3) score.outages += 1;
    }
    const fetch = async (): Promise<Observation> => {
      now += 700;
      if (outage > 0)
        return {
          kind: "broken",
          reason: scene.outage?.reason ?? "",
          statusCode: 503,
          scrapeId: null,
        };
      const text = scene.lines(edits, random, now, check).join("\n\n");
      return {
        kind: "page",
        text,
        fetchedAt: now,
        title: "Town",
        statusCode: 200,
        finalUrl: "https://town.example/",
        scrapeId: null,
        fingerprint: text,
      };
    };
    const finding = await checkPage({
      detection,
      fieldsOnly: false,
      watched: [],
      rules: "",
      state,
      versions,
      fetch,
      async fetchFirst(known) {
        const seen = await fetch();
        return seen.kind === "page" && seen.text === known
          ? { kind: "unchanged", statusCode: 200, scrapeId: null }
          : seen;
      },
      pause: async (ms) => {
        now += ms;
      },
      now: () => now,
    });
    // Through JSON, as the store keeps it.
    state = JSON.parse(JSON.stringify(finding.state)) as PageState;
    if (finding.version !== undefined) versions.unshift(finding.version);
    versions.length = Math.min(versions.length, MAX_VERSIONS);
    if (finding.event === "broken") score.broken += 1;
    const isAlert = finding.status === "changed" || finding.status === "removed";
    if (isAlert && unreported) score.right += 1;
    else if (isAlert) score.wrong += 1;
    else if (unreported && finding.status === "same") score.missed += 1;
    if (finding.status !== "error") unreported = false;
  }
  return score;
}

it("reports the edits of a scripted site over 200 days with precision and recall of at least 0.98", async () => {
  const total: Score = { right: 0, wrong: 0, missed: 0, broken: 0, outages: 0 };
  const rows: string[] = [];
  for (const [index, scene] of SCENES.entries())
    for (const seed of [1, 2]) {
      const score = await simulate(scene, seed * 1_000 + index);
      rows.push(`${scene.name}: ${JSON.stringify(score)}`);
      for (const name of Object.keys(total) as (keyof Score)[]) total[name] += score[name];
    }
  const precision = total.right / (total.right + total.wrong);
  const recall = total.right / (total.right + total.missed);
  const report = `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}\n${rows.join("\n")}`;
  expect(total.right, report).toBeGreaterThan(350);
  expect(precision, report).toBeGreaterThanOrEqual(0.98);
  expect(recall, report).toBeGreaterThanOrEqual(0.98);
  expect(total.broken, report).toBe(total.outages);
}, 120_000);
