import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { readMetadata } from "./index.ts";

describe("readMetadata dates", () => {
  const fetchedAt = Date.UTC(2026, 10, 24, 12);
  const dates = (html: string) => {
    const { publishedTime, modifiedTime } = readMetadata(parseHtml(html), {
      url: "https://www.example.org/news/story.html",
      fetchedAt,
    });
    return { publishedTime, modifiedTime };
  };
  const data = (value: object) =>
    `<script type="application/ld+json">${JSON.stringify(value)}</script><h1>Story</h1>`;

  it("ignores dates after the fetch, declared or not", () => {
    expect(
      dates(
        `<meta property="article:published_time" content="2027-01-01T08:00:00Z"><h1>Story</h1>`,
      ),
    ).toEqual({ publishedTime: undefined, modifiedTime: undefined });
    expect(
      dates(
        `<meta property="article:published_time" content="2027-01-01"><h1>Story</h1><time datetime="2026-11-20">20 November 2026</time>`,
      ).publishedTime,
    ).toBe("2026-11-20");
    expect(dates(data({ "@type": "Article", datePublished: "2026-11-25" })).publishedTime).toBe(
      "2026-11-25",
    );
    expect(
      dates(data({ "@type": "Article", datePublished: "2026-11-26" })).publishedTime,
    ).toBeUndefined();
  });

  it("does not use the date of a product review as the page's date", () => {
    const review = { "@type": "Review", author: "Ann", datePublished: "2020-01-02" };
    expect(dates(data({ "@type": "Product", name: "Lamp", review })).publishedTime).toBeUndefined();
    expect(
      dates(
        data({
          "@type": "Review",
          itemReviewed: { "@type": "Movie", name: "Tides" },
          datePublished: "2020-01-02",
        }),
      ).publishedTime,
    ).toBe("2020-01-02");
  });

  it("does not use the modification date as the publication date", () => {
    expect(dates(`<h1>Story</h1><p>Updated: 5 May 2024</p>`)).toEqual({
      publishedTime: undefined,
      modifiedTime: "2024-05-05",
    });
  });

  it.each([
    ["ar", "<p>نشر في ٥ مايو ٢٠٢٤</p>"],
    ["he", "<p>5 במאי 2024</p>"],
    ["th", "<p>5 พฤษภาคม 2567</p>"],
    ["hi", "<p>5 मई 2024</p>"],
    ["fa", "<p>۱۶ اردیبهشت ۱۴۰۳</p>"],
  ])("reads the visible date of a page in %s", (language, text) => {
    expect(dates(`<html lang="${language}"><h1>Story</h1>${text}`).publishedTime).toBe(
      "2024-05-05",
    );
  });
});
