// A page reader for agent run tests: a staff directory as notes, without fetching; it counts reads.
import type { PageNote, PageReader } from "../src/agent/pages/read-page.ts";
import { TargetError } from "../src/errors.ts";
import { DEPARTMENTS, PEOPLE } from "./site/agent-sites.ts";

export const HOME = "http://institute.example/";
const PRICE = 5;

export type CountingReader = PageReader & {
  /** Number of reads by page. */
  readonly reads: Map<string, number>;
};

const slugOf = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

function buildNote(url: string, fields: Partial<PageNote>): PageNote {
  return {
    url,
    statusCode: 200,
    title: url,
    description: "",
    markdown: "",
    links: [],
    documents: [{}, {}],
    warnings: [],
    ...fields,
  };
}

const linkTo = (path: string, text: string) => ({
  url: new URL(path, HOME).href,
  text,
  isMain: true,
  isNext: false,
});

function notes(): Map<string, PageNote> {
  const found = new Map<string, PageNote>();
  const add = (path: string, fields: Partial<PageNote>): void => {
    const url = new URL(path, HOME).href;
    found.set(url, buildNote(url, fields));
  };
  add("/", {
    links: [
      ...DEPARTMENTS.map((name) => linkTo(`/departments/${slugOf(name)}`, name)),
      linkTo("/gone", "Staff of the past"),
    ],
  });
  for (const name of DEPARTMENTS) {
    const people = PEOPLE.filter(({ department }) => department === name);
    add(`/departments/${slugOf(name)}`, {
      markdown: people.map((person) => `| ${person.name} | ${person.title} |`).join("\n"),
      links: people.map((person) => linkTo(`/people/${person.slug}`, person.name)),
      documents: [
        { json: { staff: people.map((person) => ({ name: person.name, title: person.title })) } },
        {},
      ],
    });
  }
  for (const [index, { slug }] of PEOPLE.entries()) {
    const person = EXPECTED_STAFF[index] ?? {};
    add(`/people/${slug}`, {
      markdown: Object.values(person).join("\n"),
      documents: [{}, { json: person }],
    });
  }
  return found;
}

export function createCountingReader(): CountingReader {
  const pages = notes();
  const reads = new Map<string, number>();
  return {
    reads,
    highestPrice: () => PRICE,
    async read({ url }) {
      reads.set(url, (reads.get(url) ?? 0) + 1);
      const note = pages.get(url);
      if (note === undefined) throw new TargetError("SCRAPE_SITE_ERROR", `${url} is not there.`);
      return { note, credits: PRICE };
    },
  };
}

/** The result of a complete run over the directory. */
export const EXPECTED_STAFF = PEOPLE.map(({ name, title, email, phone, department }) => ({
  name,
  title,
  email,
  phone,
  department,
}));
/** Pages that exist and are therefore charged. */
export const DIRECTORY_CREDITS = (1 + DEPARTMENTS.length + PEOPLE.length) * PRICE;
