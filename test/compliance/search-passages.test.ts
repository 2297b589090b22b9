// Searches over long pages on both databases: words and identifiers deep in a page, in several
// languages, and entries of earlier versions.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { createLogger } from "../../src/logger.ts";
import { createIndexer, type Indexer } from "../../src/search/indexer.ts";
import { createIndexProvider } from "../../src/search/index-provider.ts";
import type { SearchProvider } from "../../src/search/provider.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const ACCOUNT = "0199f0c0-0000-7000-8000-00000000000a";

/** A reference manual: sections of filler, with one definition far from its beginning. */
const manual = (topic: string, definition: string, explanation: string): string =>
  [
    `# ${topic}`,
    ...Array.from(
      { length: 400 },
      (_, at) => `## Part ${at}\n\nText about ${topic}, number ${at}.`,
    ),
    `**${definition}**`,
    explanation,
    ...Array.from({ length: 50 }, (_, at) => `More about ${topic} and entry${at}.`),
  ].join("\n\n");

describeDatabases("search of long pages", (configure) => {
  let store: Store;
  let indexer: Indexer;
  let provider: SearchProvider;

  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
    const log = createLogger("silent");
    indexer = createIndexer({
      pages: async () => store.searchPages,
      scrapes: async () => store.scrapes,
      log,
    });
    provider = createIndexProvider({
      pages: async () => store.searchPages,
      catchUp: async () => await indexer.catchUp(),
      isOn: true,
    });
  });
  afterAll(async () => {
    await indexer.close();
    await store.close();
  });

  const index = (path: string, markdown: string, title = path, language = "en"): void =>
    indexer.enqueuePage({
      accountId: ACCOUNT,
      scrapeId: "x",
      cacheKey: "0".repeat(64),
      url: `https://manual.test/${path}`,
      statusCode: 200,
      mimeType: "text/html",
      verdict: "content",
      fetchedAt: 1,
      document: { markdown, metadata: { title, language } },
    });

  async function search(query: string, language = "en") {
    using deadline = Deadline.start(30_000);
    const { results } = await provider.search(
      {
        source: "web",
        query,
        limit: 5,
        includeDomains: [],
        excludeDomains: [],
        categories: [],
        country: "us",
        language,
        location: undefined,
        tbs: undefined,
        range: {
          since: undefined,
          until: undefined,
          unit: undefined,
          newestFirst: false,
          isUnknown: false,
        },
        isSafe: undefined,
        highlights: true,
        accountId: ACCOUNT,
      },
      deadline,
    );
    return results.map(({ url, description }) => ({
      path: new URL(url ?? "").pathname.slice(1),
      description,
    }));
  }

  it("finds an identifier deep in a manual before pages that only mention its parts", async () => {
    const text = manual(
      "Text types",
      "str.removeprefix(*prefix*)",
      "If the string starts with it, returns the rest.",
    );
    index("types", text);
    index("parts", "The str tool and the removeprefix plan. Use log, min, duration, statement.");
    index(
      "settings",
      manual("Logging", "`log_min_duration_statement` (`integer`)", "Logs slow ones."),
    );
    const [first] = await search("str.removeprefix");
    expect(first?.path).toBe("types");
    expect(first?.description).toContain("returns the rest");
    const [setting] = await search("log_min_duration_statement");
    expect(setting).toEqual({
      path: "settings",
      description: expect.stringContaining("Logs slow ones") as string,
    });
  });

  it("treats an option that starts with two hyphens as a word, not as an exclusion", async () => {
    index("push", manual("Pushing", "--force-with-lease", "Refuses to overwrite work of others."));
    index("leases", "A lease with force: how to end leases.");
    expect((await search("--force-with-lease"))[0]?.path).toBe("push");
  });

  it("finds a long phrase deep in a page", async () => {
    index("phrase", manual("Tides", "Springs", "The moon stands in line with the sun."));
    expect((await search('"stands in line with the sun"')).map(({ path }) => path)).toEqual([
      "phrase",
    ]);
  });

  it.each([
    ["de", "Die Kündigungsfristen der Wohnungen betragen drei Monate.", "Kündigungsfrist Wohnung"],
    ["fr", "Les délais de résiliation sont de trois mois.", "délai de résiliation"],
    ["es", "Los plazos de cancelación son de tres meses.", "plazo de cancelacion"],
    ["ru", "Сроки отмены договоров составляют три месяца.", "срок отмены договора"],
    ["zh", "租房合同的取消期限为三个月。", "取消期限"],
    ["ja", "賃貸契約の解約期間は三か月です。", "解約期間"],
  ])(
    "finds a sentence deep in a page in %s by other forms of its words",
    async (language, sentence, query) => {
      index(`${language}/rules`, manual("Haus", "x", sentence), "Haus", language);
      index(`${language}/other`, manual("Haus", "x", "0123456789."), "Haus", language);
      const [first, ...others] = await search(query, language);
      expect(first?.path).toBe(`${language}/rules`);
      expect(others.map(({ path }) => path)).not.toContain(`${language}/other`);
    },
  );

  it("finds entries written by an earlier version", async () => {
    await store.searchPages.save([
      {
        accountId: ACCOUNT,
        identity: 77n,
        cacheKey: "0".repeat(64),
        url: "https://old.test/page",
        title: "Old entry",
        description: "",
        language: "en",
        isPdf: false,
        words: "'old':1A 'entri':1A 'lighthous':1,2,3 'h:old.test':1",
        text: "The lighthouse was built in one line of text.",
        fetchedAt: 1,
      },
    ]);
    expect((await search("lighthouses built"))[0]?.description).toContain("lighthouse was built");
  });
});
