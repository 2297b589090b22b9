// Texts that most pages of a site repeat in their content are dropped from the fifth page of a
// crawl on.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FinishedJob } from "../../../client/client.ts";
import {
  type Answer,
  closeCrawls,
  crawl as crawlFrom,
  openCrawls,
  serve,
  service,
} from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

const PITCH =
  "Enjoying these notes? Join twelve thousand readers of our weekly letter and never miss another harbour story.";
const AUTHOR =
  "Maren Holt has kept the harbour museum for eleven years and writes about ropes, lights and tides.";
const SAME_CODE = "sudo tide-table install --harbour all --with-lights --quiet --yes";
const NOUNS =
  `anchor bollard capstan davit eyelet fender gangway hawser inlet jetty keel ladder mooring
  nozzle oar pulley quay rudder shackle tiller`.split(/\s+/);
const COUNT = 16;

/** Words that no other page has in this order. */
function essay(index: number, paragraph: number): string {
  const noun = (step: number): string => NOUNS[(index * 7 + paragraph * 3 + step) % NOUNS.length]!;
  return `The ${noun(0)} number ${index * 100 + paragraph} was brought to the ${noun(5)} by a crew that knew
    little about it. They tied it to the ${noun(9)}, painted it, and wrote in the book of year ${1700 + index}
    that no ${noun(13)} had ever served so well in such weather, whatever the owner of the ${noun(2)} said.`;
}

function article(index: number, next: string | undefined): Answer {
  const body = `<!doctype html><html lang="en"><head><title>Harbour note ${index}</title></head><body>
    <main><article><h1>Harbour note ${index}</h1>
    <h2>Description</h2><p>${essay(index, 1)}</p><p>${essay(index, 2)}</p>
    <p>${PITCH}</p>
    <h2>Examples</h2><p>${essay(index, 3)}</p><pre><code>${SAME_CODE}</code></pre>
    <table><tr><th>Option</th><th>Meaning of the option on every page of this site</th></tr>
    <tr><td>quiet</td><td>says nothing at all while it works, whatever happens to the table</td></tr></table>
    <p>${essay(index, 4)}</p>
    <div class="bio"><h3>Who writes here</h3><p>${AUTHOR}</p><p>Follow Maren</p></div>
    ${next === undefined ? "" : `<p>${essay(index, 5)} The story goes on in <a href="${next}">note ${index + 1}</a>.</p>`}
    </article></main></body></html>`;
  return (_request, response) =>
    void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
}

/** Notes linked in sequence, so that they are crawled in order. */
const serveNotes = (): string =>
  serve(
    Object.fromEntries(
      Array.from({ length: COUNT }, (_, index) => [
        `/n${index}`,
        article(index, index + 1 < COUNT ? `n${index + 1}` : undefined),
      ]),
    ),
  );

/** The Markdown of the notes in order. */
const textsOf = (job: FinishedJob): string[] =>
  job.documents
    .toSorted((one, other) => numberOf(one.metadata.url) - numberOf(other.metadata.url))
    .map(({ markdown }) => markdown ?? "");
const numberOf = (url: unknown): number => Number(/n(\d+)$/.exec(String(url))?.[1]);

const crawl = (start: string, parameters: object = {}): Promise<FinishedJob> =>
  crawlFrom(start, { crawlEntireDomain: true, ...parameters });
const numbersWith = (texts: readonly string[], words: string): number[] =>
  texts.flatMap((text, index) => (text.includes(words) ? [index] : []));
const ALL = Array.from({ length: COUNT }, (_, index) => index);
const PITCH_WORDS = "twelve thousand readers";

describe.skipIf(isRemote)("crawl of a site with repeated texts", () => {
  it("drops repeated texts from the fifth page on", async () => {
    const job = await crawl(`${serveNotes()}/n0`);
    const texts = textsOf(job);
    expect(texts).toHaveLength(COUNT);
    expect(numbersWith(texts, PITCH_WORDS)).toEqual([0, 1, 2, 3]);
    expect(numbersWith(texts, "has kept the harbour museum")).toEqual([0, 1, 2, 3]);
    expect(numbersWith(texts, "Who writes here")).toEqual([0, 1, 2, 3]);
  });

  it("keeps section headings, code, tables and each page's own text", async () => {
    const texts = textsOf(await crawl(`${serveNotes()}/n0`));
    for (const words of ["## Description", "## Examples", SAME_CODE, "says nothing at all"])
      expect(numbersWith(texts, words), words).toEqual(ALL);
    for (const index of ALL)
      for (const paragraph of [1, 2, 3, 4])
        expect(texts[index]).toContain(`number ${index * 100 + paragraph} was brought`);
  });

  it("records dropped texts in the ledger", async () => {
    const job = await crawl(`${serveNotes()}/n0`);
    const reasons = new Map<number, string | undefined>();
    for await (const { url, reason } of service.client.crawlJob(job.id ?? "").ledgerEntries())
      if (/\/n\d+$/.test(url)) reasons.set(numberOf(url), reason ?? undefined);
    expect(reasons.get(3)).toBeUndefined();
    expect(reasons.get(4)).toMatch(
      /^\d texts \(\d+ words\) left out that most pages of 127\.0\.0\.1\S* repeat$/,
    );
  });

  it("drops nothing for whole pages, change tracking, or lists", async () => {
    const start = serveNotes();
    const whole = await crawl(`${start}/n0`, { scrapeOptions: { onlyMainContent: false } });
    expect(numbersWith(textsOf(whole), PITCH_WORDS)).toEqual(ALL);
    const formats = ["markdown", "changeTracking"];
    const compared = await crawl(`${start}/n0`, { scrapeOptions: { formats } });
    expect(numbersWith(textsOf(compared), PITCH_WORDS)).toEqual(ALL);
    const batch = await service.client.batch(ALL.map((index) => `${start}/n${index}`));
    expect(numbersWith(textsOf(batch), PITCH_WORDS)).toEqual(ALL);
  });

  it("learns repeated texts also with zero data retention", async () => {
    const job = await crawl(`${serveNotes()}/n0`, { zeroDataRetention: true });
    expect(numbersWith(textsOf(job), PITCH_WORDS)).toEqual([0, 1, 2, 3]);
  });
});
