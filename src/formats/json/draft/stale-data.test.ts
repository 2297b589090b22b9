import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const schemaOf = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(
    names.map((name) => [
      name,
      /price|rating|count/.test(name)
        ? { type: "number" }
        : /date/.test(name)
          ? { type: "string", format: "date" }
          : { type: "string" },
    ]),
  ),
});
const valueOf = (data: object, body: string, ...names: readonly string[]): unknown =>
  draftPage(
    `<!doctype html><html lang="en"><head><title>Harbour lamp</title><script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...data })}</script></head><body><main>${body}</main></body></html>`,
    schemaOf(...names),
  ).value;

const LAMP = {
  "@type": "Product",
  name: "Harbour lamp",
  sku: "HL-20",
  offers: { "@type": "Offer", price: "120.00", priceCurrency: "EUR" },
  aggregateRating: { "@type": "AggregateRating", ratingValue: "4.1", reviewCount: "31" },
};

describe("machine-readable data that the page contradicts", () => {
  it("loses its price and rating to the shown price, and keeps the name", () => {
    const body = `<h1>Harbour lamp</h1><p>€95.00</p><ul><li>Brass <span>€95.00</span></li></ul><p>I paid €120.00 for mine last year, and it is a good lamp for the price, I would say.</p>`;
    expect(valueOf(LAMP, body, "name", "price", "rating", "review_count")).toEqual({
      name: "Harbour lamp",
      price: 95,
    });
  });

  it("keeps the declared price where the page shows none, or another one only once", () => {
    expect(valueOf(LAMP, "<h1>Harbour lamp</h1>", "price", "rating")).toEqual({
      price: 120,
      rating: 4.1,
    });
    expect(valueOf(LAMP, "<h1>Harbour lamp</h1><p>With delivery €126.50</p>", "price")).toEqual({
      price: 120,
    });
  });

  it("gives neither dates nor the place of an event that is on other days", () => {
    const concert = {
      "@type": "Event",
      name: "Night of choirs",
      startDate: "2025-05-03",
      location: { "@type": "Place", name: "Old Mill" },
    };
    const body = "<h1>Night of choirs</h1><p>Saturday, 9 May 2026</p><p>Town Hall</p>";
    expect(valueOf(concert, body, "name", "start_date", "venue")).toEqual({
      name: "Night of choirs",
    });
    const shown = body.replace("9 May 2026", "3 May 2025");
    expect(valueOf(concert, shown, "start_date", "venue")).toEqual({
      start_date: "2025-05-03",
      venue: "Old Mill",
    });
  });

  it("loses its values where the page shows other ratings and counts, but not for one of both", () => {
    const shop = {
      "@type": "Store",
      name: "Harbour lamp",
      slogan: "Light for every berth",
      aggregateRating: { "@type": "AggregateRating", ratingValue: "3.9", reviewCount: "87" },
    };
    const of = (text: string): unknown =>
      valueOf(shop, `<h1>Harbour lamp</h1><p>${text}</p>`, "rating", "review_count", "slogan");
    expect(of("Rated 4.4 by 112 reviews")).toEqual({ rating: 4.4, review_count: 112 });
    expect(of("Rated 3.9 by 112 reviews")).toMatchObject({ slogan: "Light for every berth" });
    expect(of("Open daily")).toEqual({
      rating: 3.9,
      review_count: 87,
      slogan: "Light for every berth",
    });
  });

  it("loses its values where the title has another version", () => {
    const app = { "@type": "SoftwareApplication", name: "Lamp", softwareVersion: "2.1.0" };
    const of = (heading: string): unknown =>
      valueOf({ ...app, license: "MIT" }, `<h1>${heading}</h1>`, "version", "license");
    expect(of("Lamp 2.2.0")).toBeUndefined();
    expect(of("Lamp 2.1.0")).toEqual({ version: "2.1.0", license: "MIT" });
  });

  it("loses to a label with another value, and to a similar heading", () => {
    const job = { "@type": "JobPosting", title: "Baker", hiringOrganization: "Krume GmbH" };
    const body = "<h1>Baker for the night shift</h1><dl><dt>Company</dt><dd>Brotwerk AG</dd></dl>";
    expect(valueOf(job, body, "company")).toEqual({ company: "Brotwerk AG" });
    expect(valueOf({ ...LAMP, name: "Harbor lamp XL" }, "<h1>Harbour lamp</h1>", "name")).toEqual({
      name: "Harbour lamp",
    });
  });
});

describe("publication dates of metadata", () => {
  const page = (stamp: string): string =>
    `<html lang="en"><head><meta name="dcterms.modified" content="2024-02-03"><title>Ferries</title></head><body><main><h1>Ferries</h1><p>${stamp}</p></main></body></html>`;
  const modified = (stamp: string): unknown =>
    draftPage(page(stamp), schemaOf("date_modified")).value;

  it("accepts the publication date of the metadata unless the page has a stamp with another date", () => {
    expect(modified("Sailings of the north line")).toEqual({ date_modified: "2024-02-03" });
    expect(modified("Figures as of 8 June 2026")).toBeUndefined();
  });
});
