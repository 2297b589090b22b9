import { describe, expect, it } from "vitest";
import {
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const valueOf = (name: string, lang: string, main: string): unknown =>
  readObject(pageOf(lang, main), { [name]: STRING })[name];
const term = (label: string, value: string): string =>
  `<dl class="grid"><dt>${label}</dt><dd>${value}</dd></dl>`;
type Fact = readonly [name: string, lang: string, facts: string];
const factOf = ([name, lang, facts]: Fact): unknown =>
  valueOf(name, lang, `<h1>brisk</h1><p>Small scheduler for timers.</p>${facts}`);

describe("version", () => {
  it.each<readonly [...Fact, string]>([
    ["version", "en", `<p>Version: 2.6.2 <span class="badge">yanked</span></p>`, "2.6.2"],
    ["version", "de", `<p>Version: 4.2 <span class="badge">veraltet</span></p>`, "4.2"],
    ["version", "fr", "<p>Version : 1.4.0 <em>obsolète</em></p>", "1.4.0"],
    ["version", "es", term("Versión", `0.9.3 <span class="badge">beta</span>`), "0.9.3"],
    ["version", "nl", term("Versie", `5.0.1 <span class="tag">nieuw</span>`), "5.0.1"],
    ["version", "it", term("Versione", "1.2.0"), "1.2.0"],
    ["version", "en", "<p>Version: 3.0.0-beta.2</p>", "3.0.0-beta.2"],
    ["latest_version", "en", term("Latest version", `2.6.2 <span>stable</span>`), "2.6.2"],
  ])("is given as %s (%s) without its badge from %s", (name, lang, facts, expected) => {
    expect(factOf([name, lang, facts])).toBe(expected);
  });

  it.each<Fact>([
    ["version", "en", term("Latest version", "12 April 2025")],
    ["version", "en", "<p>Latest version: Apr 12, 2025</p>"],
    ["version", "en", "<p>Version: 2025-04-12</p>"],
    ["latest_version", "en", term("Latest version", "3 days ago")],
    ["version", "de", "<p>Version vom 12.04.2025</p>"],
    ["version", "fr", "<p>Version du 3 mars 2025</p>"],
    ["version", "it", "<p>Versione: 3 marzo 2025</p>"],
    ["version", "nl", "<p>Versie: 3 maart 2025</p>"],
    ["version", "es", term("Versión", "3 de marzo de 2025")],
    ["version", "en", term("Python version", "3.11 or later")],
    ["version", "en", "<p>Requires Node.js version 18.2 or later.</p>"],
    ["version", "en", term("Versions", "14")],
  ])("is no date, count or requirement: %s (%s) from %s", (...fact) => {
    expect(factOf(fact)).toBeUndefined();
  });

  it.each<readonly [...Fact, string]>([
    ["version", "en", term("Version", `2.6.2<span class="badge">yanked</span>`), "2.6.2"],
    [
      "version",
      "en",
      term("Version", `<span>2.6.2</span><span class="badge">yanked</span>`),
      "2.6.2",
    ],
    ["version", "en", term("Version", "2.6.2 (yanked)"), "2.6.2"],
    ["version", "en", term("Version", "2.6.2, released 12 April 2025"), "2.6.2"],
    ["version", "en", `<ul><li>Version: 2.6.2<sup class="badge">new</sup></li></ul>`, "2.6.2"],
  ])("is %s (%s) without the words behind it: %s", (name, lang, facts, expected) => {
    expect(factOf([name, lang, facts])).toBe(expected);
  });
});

type Person = readonly [lang: string, text: string, expected: string];
const authorOf = (lang: string, text: string): unknown =>
  valueOf(
    "author",
    lang,
    `<article><h1>Harbor lamps</h1><p>Opens in May.</p><p class="author">${text}</p></article>`,
  );
const speakerOf = (lang: string, text: string): unknown =>
  readRows(
    pageOf(
      lang,
      `<h1>Program</h1><div class="talks"><article class="talk"><h3 class="talk-title">Lamps at sea</h3><p class="talk-speaker">${text}</p></article><article class="talk"><h3 class="talk-title">Harbor light</h3><p class="talk-speaker">Bo Lund</p></article></div>`,
    ),
    "talks",
    { title: STRING, speaker: STRING },
  )[0]?.speaker;

describe("people by class", () => {
  it.each<Person>([
    ["en", "MIT Media Lab", "MIT Media Lab"],
    ["de", "MIT Media Lab", "MIT Media Lab"],
    ["nl", "Met Opera", "Met Opera"],
    ["en", "Con Edison", "Con Edison"],
    ["en", "Van Morrison", "Van Morrison"],
    ["en", "By Ada Holm", "Ada Holm"],
    ["de", "Von Ada Holm", "Ada Holm"],
    ["es", "Por Ada Holm", "Ada Holm"],
    ["fr", "Par Ada Holm", "Ada Holm"],
    ["it", "di Ada Holm", "Ada Holm"],
    ["nl", "Door Ada Holm", "Ada Holm"],
  ])("give the author (%s) of the text %s", (lang, text, expected) => {
    expect(authorOf(lang, text)).toBe(expected);
  });

  it.each<Person>([
    ["en", "MIT Media Lab", "MIT Media Lab"],
    ["de", "MIT Media Lab", "MIT Media Lab"],
    ["en", "Met Opera", "Met Opera"],
    ["nl", "Met Opera", "Met Opera"],
    ["nl", "Metropole Orkest", "Metropole Orkest"],
    ["en", "Withings", "Withings"],
    ["en", "Byron Lake", "Byron Lake"],
    ["en", "By Ada Holm", "Ada Holm"],
    ["de", "Mit Ada Holm", "Ada Holm"],
    ["fr", "Avec Ada Holm", "Ada Holm"],
    ["es", "Con Ada Holm", "Ada Holm"],
    ["de", "Von Ada Holm", "Ada Holm"],
    ["nl", "Met Ada Holm", "Ada Holm"],
    ["en", "Mit Desai", "Mit Desai"],
  ])("give the speaker (%s) of a talk with the text %s", (lang, text, expected) => {
    expect(speakerOf(lang, text)).toBe(expected);
  });

  it.fails.each<Person>([
    ["en", "Par Lagerkvist", "Par Lagerkvist"],
    ["en", "Di Nguyen", "Di Nguyen"],
    ["en", "Von Miller", "Von Miller"],
    ["en", "Por Silva", "Por Silva"],
    ["en", "Door Prize Collective", "Door Prize Collective"],
  ])("keep the first name of the author (%s) in %s", (lang, text, expected) => {
    expect(authorOf(lang, text)).toBe(expected);
  });

  it.fails("give no date as author", () => {
    expect(authorOf("en", "By 4 May 2025")).toBeUndefined();
  });

  it.fails.each<Person>([
    ["en", "By Ada Holm", "Ada Holm"],
    ["de", "MIT Media Lab", "MIT Media Lab"],
    ["nl", "Met Ada Holm", "Ada Holm"],
  ])("give the speaker (%s), not the heading: %s", (lang, text, expected) => {
    const main = `<article><h1>Lamps at sea</h1><p class="speaker">${text}</p><p>USB-C.</p></article>`;
    expect(valueOf("speaker", lang, main)).toBe(expected);
  });
});
