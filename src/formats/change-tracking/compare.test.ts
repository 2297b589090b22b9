import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { compareVersions, type Version } from "./compare.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 10);

/** Versions one day apart; the last one is today. */
const versionsOf = (texts: readonly string[]): Version[] =>
  texts.map((markdown, index) => ({
    markdown,
    fetchedAt: NOW - (texts.length - 1 - index) * DAY,
  }));

async function compare(texts: readonly string[], ignoreNoise = true) {
  const versions = versionsOf(texts);
  const [current, previous] = versions.toReversed();
  if (previous === undefined || current === undefined) throw new Error("two versions at least");
  const earlier = async () => versions.slice(0, -2);
  return await compareVersions(previous, current, { ignoreNoise, earlier });
}

const page = (line: string): string =>
  `# Harbour notes\n\nThe harbour is open all year.\n\n${line}\n\nWrite to the harbour master.`;

describe("compareVersions", () => {
  it("compares a line full of dates in linear time", async () => {
    const dates = "2026-11-21 10:30, ".repeat(10_000);
    const from = threadCpuMs();
    const { changed } = await compare([`one ${dates}`, `two ${dates}`]);
    expect(changed).toBe(true);
    expect(threadCpuMs() - from).toBeLessThan(2_000);
  });

  it("ignores whitespace and frame remnants, and reports that only they differ", async () => {
    const { changed, noise } = await compare([
      "# A\n\none two\n\n[iframe](https://a.test/x)",
      "#  A\none\n two\n",
    ]);
    expect({ changed, noise }).toEqual({
      changed: false,
      noise: { lines: 0, kinds: ["whitespace"] },
    });
  });

  it.each([
    ["Last updated: 3 March 2024. Open daily.", "Last updated: 9 May 2025. Closed on Mondays."],
    ["Viewed 12 times. Price: 20 EUR", "Viewed 19 times. Price: 25 EUR"],
    ["Sale ends in 2 days: boats", "Sale ends in 1 day: sails"],
    ["Concert on 3 March 2024", "Concert on 9 May 2024"],
    ["[Watch](https://a.test/watch?v=81f)", "[Watch](https://a.test/watch?v=9c2)"],
    ["Delivery in 2 days", "Delivery in 5 days"],
  ])(
    "counts an edit beside noise, or what only looks like noise, as a change: %s",
    async (before, after) => {
      expect((await compare([page(before), page(after)])).changed).toBe(true);
    },
  );

  it("counts edited words as a change, even with the same letters", async () => {
    const { changed, noise, deleted, added } = await compare([page("listen"), page("silent")]);
    expect({ changed, noise }).toEqual({ changed: true, noise: { lines: 0, kinds: [] } });
    expect([[...deleted], [...added]]).toEqual([[5], [5]]);
  });

  it.each([
    ["age", "Posted 3 days ago by Ann", "Posted 4 days ago by Ann"],
    ["age", "Updated just now", "Updated yesterday at 10:30 pm"],
    ["age", "Vor 2 Stunden aktualisiert", "vor 3 Tagen aktualisiert"],
    ["age", "Publié il y a 3 jours", "Publié il y a 2 semaines"],
    ["age", "hace 3 horas", "hace un día"],
    ["age", "发布于3天前", "发布于1周前"],
    ["age", "an hour ago", "23 hours ago"],
    ["counter", "1,234 views", "1,310 views"],
    ["counter", "Comments (12)", "Comments (19)"],
    ["counter", "You are visitor number 10233", "You are visitor number 10301"],
    ["counter", "3.4k followers · 12 likes", "3.6k followers · 15 likes"],
    ["counter", "12 people are viewing this", "7 people are viewing this"],
    ["counter", "1.204 Aufrufe", "1.377 Aufrufe"],
    ["clock", "Page generated in 0.123 seconds", "Page generated in 0.98 seconds"],
    ["clock", "Today is Friday, 20 November 2026", "Today is Saturday, 21 November 2026"],
    ["clock", "As of 2026-11-20 10:31:12 UTC", "As of 2026-11-21 09:02:44 UTC"],
    ["clock", "Last updated: 3 March 2024", "Last updated: 9 October 2025 at 10:31 am"],
    ["clock", "Zuletzt aktualisiert am 03.03.2024", "Zuletzt aktualisiert am 09.10.2025"],
    ["clock", "Dernière mise à jour : 3 mars 2024", "Dernière mise à jour : 9 octobre 2025"],
    ["clock", "Última actualización: 03/03/2024", "Última actualización: 09/10/2025"],
    ["clock", "最終更新日：2024年3月3日", "最終更新日：2025年10月9日"],
    ["clock", "Sale ends in 2 days 3 hours", "Sale ends in 1 day 14 hours"],
    ["clock", "12:03:44 left", "08:11:02 left"],
    ["counter", "Viewed 1,204 times", "Viewed 1,377 times"],
    ["counter", "Visto 12 veces", "Visto 19 veces"],
    ["link", "![x](https://a.test/logo.png?v=81f)", "![x](https://a.test/logo.png?v=9c2)"],
    [
      "link",
      "[Next](https://a.test/n?sid=8f3a&page=2)",
      "[Next](https://a.test/n?sid=c01d&page=2)",
    ],
  ])("ignores noise of kind %s: %s", async (kind, before, after) => {
    const { changed, noise } = await compare([page(before), page(after)]);
    expect({ changed, noise }).toEqual({ changed: false, noise: { lines: 1, kinds: [kind] } });
    expect(await compare([page(before), page(after)], false)).toMatchObject({
      changed: true,
      noise: { lines: 0, kinds: [] },
    });
  });

  it.each([
    ["Starter: $9 a month", "Starter: $12 a month"],
    ["5 left in stock", "4 left in stock"],
    ["Open from 9 to 5", "Open from 9 to 6"],
    ["Published: 1 March 2024", "Published: 2 March 2024"],
    ["Delivery in 3 days", "Delivery in 5 days"],
    ["4 stars hotel", "5 stars hotel"],
    ["Version 4.2.1", "Version 4.2.2"],
    ["Posted 3 days ago by Ann", "Posted 3 days ago by Bob"],
    ["[Watch](https://a.test/watch?v=abc)", "[Watch](https://a.test/watch?v=abd)"],
  ])("counts as a change: %s", async (before, after) => {
    expect((await compare([page(before), page(after)])).changed).toBe(true);
  });

  it("reports noise beside a change, and separates their lines", async () => {
    const before = `${page("Starter: $9")}\n\n120 views`;
    const after = `${page("Starter: $12")}\n\n124 views`;
    const { changed, noise, added } = await compare([before, after]);
    expect({ changed, noise }).toEqual({ changed: true, noise: { lines: 1, kinds: ["counter"] } });
    expect([...added]).toEqual([5]);
  });
});

describe("compareVersions with earlier versions", () => {
  const texts = (...lines: readonly string[]): string[] => lines.map(page);

  it("ignores a rotating block from its second return on", async () => {
    const [a, b, c] = ["Our boats", "Our boots", "Our ropes"] as const;
    expect((await compare(texts(a, b))).changed).toBe(true);
    expect((await compare(texts(a, b, c, a))).changed).toBe(true);
    expect(await compare(texts(a, b, c, a, b))).toMatchObject({
      changed: false,
      noise: { lines: 1, kinds: ["rotation"] },
    });
    expect((await compare(texts(a, b, a, b), false)).changed).toBe(true);
  });

  it("ignores a block that keeps appearing and disappearing", async () => {
    expect((await compare(texts("Buy now", "", "Buy now"))).changed).toBe(true);
    expect((await compare(texts("Buy now", "", "Buy now", "", "Buy now"))).changed).toBe(false);
  });

  it("counts a reverted edit, ever-new content and an alternating price as changes", async () => {
    expect((await compare(texts("red", "blue", "red"))).changed).toBe(true);
    expect((await compare(texts("one", "two", "three", "four", "five"))).changed).toBe(true);
    expect((await compare(texts("$9", "$12", "$9", "$12", "$9"))).changed).toBe(true);
  });

  it("compares the rest of the page beside a rotating block of several lines", async () => {
    const [a, b] = ["**Boat**\n\nRed, new", "**Rope**\n\nLong, used"] as const;
    const four = texts(a, b, a);
    expect((await compare([...four, page(b)])).changed).toBe(false);
    const closed = page(b).replace("open all year", "closed in March");
    expect(await compare([...four, closed])).toMatchObject({
      changed: true,
      noise: { lines: 2, kinds: ["rotation"] },
    });
  });

  it("ignores a number that only grows from the fourth version on, but not one that falls or has a currency", async () => {
    const count = (number: string): string => `Ships that came in so far: ${number}`;
    expect((await compare(texts(count("101"), count("105"), count("109")))).changed).toBe(true);
    expect(
      await compare(texts(count("101"), count("105"), count("109"), count("1,115"))),
    ).toMatchObject({ changed: false, noise: { kinds: ["counter"] } });
    expect(
      (await compare(texts(count("101"), count("105"), count("109"), count("108")))).changed,
    ).toBe(true);
    expect((await compare(texts("1 EUR", "2 EUR", "3 EUR", "4 EUR"))).changed).toBe(true);
  });

  it("compares versions without a common line in linear time", async () => {
    const lines = (word: string): string =>
      Array.from({ length: 30_000 }, (_, index) => `${word} ${index} 1,234 viewz`).join("\n");
    const from = threadCpuMs();
    expect((await compare([lines("a"), lines("b")])).changed).toBe(true);
    expect(threadCpuMs() - from).toBeLessThan(2_500);
  });
});
