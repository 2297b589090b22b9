// Whole pages of forum software, written by someone who had not seen the rules.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { derivePage } from "../../../test/understanding/derive-page.ts";
import { parseDateText } from "../metadata/date-text.ts";

type Page = {
  readonly posts: readonly {
    readonly author: string;
    readonly date: string;
    readonly must: readonly string[];
  }[];
  readonly mustNot: readonly string[];
};

const FOLDER = path.resolve(import.meta.dirname, "../../../test/threads");
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.slice(0, -".html".length));

describe.each(NAMES)("a thread of %s", (name) => {
  const { posts, mustNot } = JSON.parse(
    readFileSync(path.join(FOLDER, `${name}.json`), "utf8"),
  ) as Page;
  const { document } = derivePage(readFileSync(path.join(FOLDER, `${name}.html`), "utf8"), [
    { type: "markdown" },
  ]);
  const plain = (text: string): string => text.replaceAll("\\", "").replaceAll(/\s+/g, " ");
  const sections = String(document.markdown).split(/^### /m).slice(1);

  it("begins each post with its author and date, and keeps its text", () => {
    const found = posts.map(({ author, date, must }) =>
      sections.find((section) => {
        const [heading = "", ...body] = section.split("\n");
        return (
          heading.startsWith(author) &&
          parseDateText(heading.slice(author.length), "month-first")?.startsWith(date) === true &&
          must.every((sentence) => plain(body.join("\n")).includes(plain(sentence)))
        );
      }),
    );
    expect(found.map((section) => section !== undefined)).toEqual(posts.map(() => true));
    expect(found.map((section) => sections.indexOf(section ?? ""))).toEqual(
      found.map((section) => sections.indexOf(section ?? "")).toSorted((one, other) => one - other),
    );
  });

  it("returns the posts of a thread as records", () => {
    const text = { type: "string" };
    const fields = { author: text, time: text, votes: { type: "integer" }, text };
    const items = { type: "object", properties: fields };
    const schema = { type: "object", properties: { posts: { type: "array", items } } };
    const html = readFileSync(path.join(FOLDER, `${name}.html`), "utf8");
    const { json } = derivePage(html, [
      { type: "deterministicJson", schema, evidence: false },
    ]).document;
    const records = (json as { posts: { author: string; time: string; text: string }[] }).posts;
    for (const { author, date, must } of posts) {
      const own = records.find(
        (record) =>
          record.author === author &&
          must.every((sentence) => plain(record.text).includes(plain(sentence))),
      );
      expect(own && parseDateText(own.time, "month-first")?.slice(0, 10)).toBe(date);
    }
  });

  it("leaves out the text around the posts of a thread", () => {
    const text = plain(String(document.markdown));
    expect(mustNot.filter((part) => text.includes(plain(part)))).toEqual([]);
  });
});
