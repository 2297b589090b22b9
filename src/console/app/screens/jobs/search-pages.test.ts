import { expect, it } from "vitest";
import { documentSchema, type Document } from "../../../../contract/page/document.ts";
import { searchPages, type PageSearch } from "./search-pages.ts";

const buildDocuments = (count: number): Document[] =>
  Array.from({ length: count }, (_, index) =>
    documentSchema.parse({ markdown: `Lamp ${index}`, metadata: { title: "Lamps" } }),
  );
const START: PageSearch = { found: [], searched: 0, isDone: false };

it("searches results that arrive while it runs, and continues after the last searched one", async () => {
  const documents = buildDocuments(250);
  let count = 100;
  const reads: number[] = [];
  let last = START;
  const search = (): Promise<void> =>
    searchPages({
      read: async (skip, limit) => {
        reads.push(skip);
        // More results arrive after the first read.
        count = Math.max(count, 150);
        return await Promise.resolve(documents.slice(skip, Math.min(skip + limit, count)));
      },
      words: "LAMP 1",
      from: last,
      readCount: () => count,
      onProgress: (next) => {
        last = next;
      },
    });
  await search();
  expect(last).toMatchObject({ searched: 150, isDone: true });
  count = 250;
  await search();
  expect(last).toMatchObject({ searched: 250, isDone: true });
  expect(reads).toEqual([0, 100, 150]);
  expect(last.found).toHaveLength(111);
  expect(last.found.at(-1)?.index).toBe(199);
});
