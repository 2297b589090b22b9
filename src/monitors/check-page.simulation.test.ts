// A scripted site over 200 days, checked four times a day: every real edit must be reported, and nothing
// else. Each seed has texts, places and kinds of edits, noise and outages of its own.
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

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const shuffle = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

const FORMS: readonly ((pickWord: () => string) => string)[] = [
  (word) => `The ${word()} beside the ${word()} opens for visitors of the ${word()}.`,
  (word) => `Between the ${word()} and the ${word()} a new ${word()} is planned for next year.`,
  (word) => `Nobody may enter the ${word()} without the key of the ${word()}.`,
  (word) => `Tickets for the ${word()} are sold at the ${word()}, not at the ${word()}.`,
];

type Outage = {
  readonly chance: number;
  readonly checks: number;
  readonly kind: "broken" | "gone";
};

type Scene = {
  readonly name: string;
  /** Mean days between edits. */
  readonly everyDays: number;
  /** The lines of a fetch; `edits` is how many edits were made so far. */
  lines(edits: number, random: () => number, now: number, check: number): string[];
  /** Replaces the page with this chance per check, for so many checks. */
  readonly outage?: Outage;
  /** Chance that a single fetch is a block page. */
  readonly blocked?: number;
};

/** The pages of one seed. */
function createScenes(seed: number): Scene[] {
  const sentence = (number: number): string => {
    const random = createRandom(seed * 1_000_003 + number);
    return pick(FORMS, random)(() => pick(WORDS, random));
  };
  const layout = createRandom(seed);
  const body = list(8 + Math.floor(layout() * 20), (index) => sentence(9_000 + index));
  const place = 1 + Math.floor(layout() * (body.length - 2));
  const quotes = list(40, (index) => `"${sentence(500 + index)}"`);
  const ads = list(30, (index) => `Sponsored: ${sentence(700 + index)}`);
  const around = (...middle: readonly string[]): string[] => [
    ...body.slice(0, place),
    ...middle,
    ...body.slice(place),
  ];
  /** A changed sentence, a new one, or one that is removed again. */
  const edited = (edits: number): string[] => {
    const notice = `Notice: ${sentence(edits * 31 + 7)}`;
    if (edits % 3 === 0) return around(notice);
    return edits % 3 === 1 ? around(notice, sentence(edits * 17 + 3)) : around();
  };
  const minutes = (now: number): number => Math.floor(now / 60_000) % 60;
  return [
    { name: "plain page", everyDays: 9, lines: edited },
    {
      name: "price that goes up and down again",
      everyDays: 16,
      lines: (edits) => [...body, `Price: ${edits % 2 === 0 ? "19.90" : "24.90"} EUR`],
    },
    {
      name: "table with one changing cell",
      everyDays: 10,
      lines: (edits) =>
        around(
          "| Ferry | Leaves | Pier |",
          "| --- | --- | --- |",
          ...list(
            9,
            (row) =>
              `| ${WORDS[row] ?? ""} | ${8 + row}:${edits % 9 === row ? 10 + (edits % 40) : "05"} | ${1 + ((row + (edits % 9 === row ? edits : 0)) % 4)} |`,
          ),
        ),
    },
    {
      name: "list of news that grows",
      everyDays: 5,
      lines: (edits) => [
        "News",
        ...list(Math.min(edits, 20) + 1, (index) => sentence(3_000 + edits - index)),
        ...body,
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
      name: "ages and dates",
      everyDays: 12,
      lines: (edits, _random, now) => [
        `Updated ${1 + minutes(now)} minutes ago`,
        ...edited(edits),
        `Today is ${new Date(now).toUTCString().slice(0, 16)}`,
        `© ${new Date(now).getUTCFullYear()} Town council`,
      ],
    },
    {
      name: "quote of the fetch",
      everyDays: 12,
      lines: (edits, random) => ["Quote of the day", pick(quotes, random), ...edited(edits)],
    },
    {
      name: "advertisements between paragraphs",
      everyDays: 13,
      lines: (edits, random) => [
        ...edited(edits),
        "Partners",
        ...list(Math.floor(random() * 3), () => pick(ads, random)),
        "Imprint and privacy",
      ],
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
      name: "A/B test of three layouts",
      everyDays: 14,
      lines: (edits, random) => {
        const lines = edited(edits);
        const variant = Math.floor(random() * 3);
        if (variant === 0) return ["Book a tour", ...lines];
        return variant === 1 ? [...lines, "Book a tour", "Ask a guide"] : lines;
      },
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
      lines: (edits, random) => [
        ...edited(edits),
        "Related",
        ...shuffle(quotes.slice(0, 6), random),
      ],
    },
    {
      name: "hidden token in a form",
      everyDays: 12,
      lines: (edits, random) => [
        ...edited(edits),
        `Session reference ${list(3, () => Math.floor(random() * 1e9).toString(36)).join("")} for support`,
      ],
    },
    {
      name: "noise of five kinds and a bot check now and then",
      everyDays: 9,
      lines: (edits, random, now) => [
        `Open for ${minutes(now)} minutes`,
        ...edited(edits),
        pick(quotes, random),
        `${Math.floor(random() * 5_000)} people like this`,
        ...list(Math.floor(random() * 2), () => pick(ads, random)),
        "Contact",
      ],
      outage: { chance: 0.05, checks: 2, kind: "broken" },
    },
    {
      name: "page behind a bot check now and then",
      everyDays: 8,
      lines: edited,
      outage: { chance: 0.06, checks: 2, kind: "broken" },
    },
    {
      name: "block pages of single fetches",
      everyDays: 9,
      lines: edited,
      blocked: 0.08,
    },
    {
      name: "server that fails for days",
      everyDays: 10,
      lines: edited,
      outage: { chance: 0.01, checks: 9, kind: "broken" },
    },
    {
      name: "page that is taken down for days",
      everyDays: 14,
      lines: edited,
      outage: { chance: 0.01, checks: 7, kind: "gone" },
    },
  ];
}

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
  let failures = 0;
  for (let check = 0; check < DAYS * CHECKS_A_DAY; check++) {
    let now = START + (check * DAY) / CHECKS_A_DAY;
    const wasGone = outage > 0 && scene.outage?.kind === "gone";
    if (outage > 0) outage -= 1;
    else if (scene.outage !== undefined && check > 0 && random() < scene.outage.chance)
      outage = scene.outage.checks;
    const isGone = outage > 0 && scene.outage?.kind === "gone";
    if (isGone !== wasGone) unreported = true;
    if (now >= nextEdit) {
      edits += 1;
      if (check > 0 && !isGone) unreported = true;
      nextEdit = now + (0.3 + random() * 1.7) * scene.everyDays * DAY;
    }
    const fetch = async (): Promise<Observation> => {
      now += 700;
      if (isGone) return { kind: "gone", statusCode: 404, fetchedAt: now, scrapeId: null };
      if (outage > 0 || random() < (scene.blocked ?? 0))
        return { kind: "broken", reason: "A bot check.", statusCode: 503, scrapeId: null };
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
    failures = finding.status === "error" ? failures + 1 : 0;
    if (failures === detection.brokenAfter) score.outages += 1;
    if (finding.event === "broken") score.broken += 1;
    const isAlert = finding.status === "changed" || finding.status === "removed";
    if (isAlert && unreported) score.right += 1;
    else if (isAlert) score.wrong += 1;
    else if (unreported && finding.status === "same") score.missed += 1;
    if (finding.status !== "error") unreported = false;
  }
  return score;
}

it.each([1, 2, 3])(
  "reports the edits of 200 days with precision and recall of at least 0.98 (site %i)",
  async (seed) => {
    const total: Score = { right: 0, wrong: 0, missed: 0, broken: 0, outages: 0 };
    const rows: string[] = [];
    for (const [index, scene] of createScenes(seed).entries())
      for (const run of [1, 2]) {
        const score = await simulate(scene, seed * 100_000 + run * 1_000 + index);
        rows.push(`${scene.name}: ${JSON.stringify(score)}`);
        for (const name of Object.keys(total) as (keyof Score)[]) total[name] += score[name];
      }
    const precision = total.right / (total.right + total.wrong);
    const recall = total.right / (total.right + total.missed);
    const report = `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}\n${rows.join("\n")}`;
    expect(total.right, report).toBeGreaterThan(500);
    expect(precision, report).toBeGreaterThanOrEqual(0.98);
    expect(recall, report).toBeGreaterThanOrEqual(0.98);
    expect(total.broken, report).toBe(total.outages);
  },
  120_000,
);
