import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { collectFacts } from "./collect.ts";

const collectFromBody = (body: string) => collectFacts(parseHtml(`<body>${body}</body>`));
const BY = ["by", "von", "par", "por", "di", "door", "av"];
const AUTHOR = ["author", "autor", "autorin", "auteur", "verfasser"];
const WRITTEN =
  "written posted published article story words created submitted geschrieben verfasst escrito publié rédigé scritto".split(
    " ",
  );

describe("collectFacts for bylines", () => {
  it.each([...BY, ...AUTHOR, ...WRITTEN.map((word) => `${word} by`)])(
    "finds a byline that starts with %s in any case",
    (words) => {
      for (const written of [words, words.toUpperCase(), `\n ${words}`]) {
        const { bylineTexts } = collectFromBody(`<p>${written}: Jane Doe</p>`);
        expect(bylineTexts.map(({ value }) => value)).toEqual([`${written.trim()}: Jane Doe`]);
      }
    },
  );

  it.each([...BY, ...AUTHOR])("takes a byline's name from the next element after %s", (word) => {
    for (const opening of [word, `3 May · ${word.toUpperCase()} : `]) {
      const { bylineTexts } = collectFromBody(`<p>${opening}</p><a>Jane Doe</a>`);
      expect(bylineTexts.map(({ value }) => value)).toEqual(["by Jane Doe"]);
    }
  });

  it("finds a byline with letters that fold to ASCII letters", () => {
    expect(collectFromBody("<p>ſtory by Jane Doe</p>").bylineTexts).toHaveLength(1);
  });
});

describe("collectFacts for places", () => {
  const placesOf = (body: string) =>
    collectFromBody(body).times.map(({ value, place }) => `${value} ${place}`);

  it("assigns a candidate to the enclosing side part or comments, and to the page after their end", () => {
    expect(
      placesOf(
        "<time>1</time><nav><time>2</time><div class=comments><time>3</time></div><time>4</time></nav><time>5</time>" +
          "<div class=comments><nav><time>6</time></nav><time>7</time></div><time>8</time>",
      ),
    ).toEqual(
      "1 own, 2 aside, 3 comments, 4 aside, 5 own, 6 comments, 7 comments, 8 own".split(", "),
    );
  });

  it("ignores empty and skipped elements when it counts the positions of dates", () => {
    expect(placesOf("<nav></nav><svg class=comments><g/></svg><time>1</time>")).toEqual(["1 own"]);
  });
});

describe("collectFacts for author links", () => {
  const ADDRESS =
    /\/(?:authors?|autor(?:en|es|in)?|auteurs?|contributors?|writers?|redakteure?|producers|journalists?|profile|by)\/[^/]+\/?$/;

  it("identifies author links by the last but one part of their address", () => {
    const address = fc
      .array(fc.constantFrom("/", "/", "/", "author", "autores", "by", "x", "?", "authorship"), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(address, (href) => {
        const { authors } = collectFromBody(`<a href="${href}">Jane Doe</a>`);
        expect(authors).toHaveLength(ADDRESS.test(href) ? 1 : 0);
      }),
      { numRuns: 1_000 },
    );
  });
});
