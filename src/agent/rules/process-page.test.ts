import { expect, it } from "vitest";
import { Accumulator } from "../answer/accumulator.ts";
import { compileTarget } from "../answer/target.ts";
import type { PageNote } from "../pages/read-page.ts";
import type { Lead } from "./frontier.ts";
import { processPage } from "./process-page.ts";

const TEXT = { type: "string" };
const WORDS = { open: [], conditions: [], known: new Set<string>(), fields: new Set<string>() };

const createAccumulator = () =>
  new Accumulator(
    compileTarget({
      type: "object",
      properties: {
        talks: {
          type: "array",
          items: { type: "object", properties: { title: TEXT, date: TEXT, room: TEXT } },
        },
      },
    }),
  );
const buildNote = (title: string, whole: object, row: object): PageNote => ({
  url: `https://site.example/${title.toLowerCase()}`,
  statusCode: 200,
  title,
  description: "",
  markdown: `# ${title}\n\n${JSON.stringify(row)}`,
  links: [],
  documents: [{ json: whole }, { json: row }],
  warnings: [],
});
const LEAD: Lead = {
  url: "https://site.example/",
  text: "",
  depth: 1,
  role: "link",
  isMain: true,
  isBelow: false,
  context: "Talks",
};
const TALKS = ["Tides", "Winds", "Wrecks"].map((title, at) => ({
  title,
  date: `2027-03-0${at + 1}`,
}));

it("adds no row for a page without a field that all rows of the list have", () => {
  const accumulator = createAccumulator();
  processPage(accumulator, buildNote("Talks", { talks: TALKS }, {}), LEAD, WORDS);
  const hall = { title: "Old Mill", room: "Great hall" };
  processPage(accumulator, buildNote("Mill", {}, hall), LEAD, WORDS);
  expect(accumulator.lists[0]?.rows.map(({ value }) => value["title"])).toEqual([
    "Tides",
    "Winds",
    "Wrecks",
  ]);
  const talk = { title: "Lights", date: "2027-03-09", room: "Great hall" };
  processPage(accumulator, buildNote("Lights", {}, talk), LEAD, WORDS);
  expect(accumulator.lists[0]?.rows.map(({ value }) => value["title"])).toContain("Lights");
});

it("adds such a row where no list has shown which fields its rows have", () => {
  const accumulator = createAccumulator();
  const hall = { title: "Old Mill", room: "Great hall", date: "" };
  processPage(accumulator, buildNote("Old Mill", {}, { ...hall, date: "soon" }), LEAD, WORDS);
  expect(accumulator.lists[0]?.rows).toHaveLength(1);
});
