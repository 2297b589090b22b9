import { describe, expect, it } from "vitest";
import { readObject, STRING } from "../../../../test/understanding/schema-pages.ts";

const SITE = "Hotel Seeblick";
/** A page of a site that has its name in the header, the title, the metadata and the footer. */
const sitePage = (lang: string, heading: string, site = SITE, main = ""): string =>
  `<!doctype html><html lang="${lang}"><head><title>${heading} | ${site}</title><meta property="og:site_name" content="${site}"></head><body><header class="flex justify-between"><a href="/" class="logo">${site}</a><a href="tel:+4975319000">+49 7531 9000</a></header><main><h1>${heading}</h1><p>Open all year round.</p>${main}</main><footer><p>© 2026 ${site}</p><address>Uferweg 4, 78462 Konstanz</address></footer></body></html>`;
const barePage = (lang: string, heading: string): string =>
  `<!doctype html><html lang="${lang}"><head><title>${heading}</title></head><body><main><h1>${heading}</h1><p>Open all year round.</p></main></body></html>`;

describe("names of places", () => {
  it.each([
    ["de", "Hotel Seeblick", "hotel_name"],
    ["en", "Maritime Museum", "museum"],
    ["en", "The Harbor Hotel", "hotel_name"],
    ["nl", "Museum De Schuur", "museum"],
  ])("are the heading with the kind (%s: %s)", (lang, heading, property) => {
    expect(readObject(barePage(lang, heading), { [property]: STRING })).toEqual({
      [property]: heading,
    });
  });

  it("are the name of the site when the heading is about something else", () => {
    expect(
      readObject(
        sitePage("de", "Zimmer und Preise", SITE, `<p>Im ${SITE} wohnen Sie am See.</p>`),
        { hotel_name: STRING },
      ),
    ).toEqual({ hotel_name: "Hotel Seeblick" });
  });

  it.each([
    ["en", "Our museum in winter", "museum"],
    ["en", "Ten hotels by the sea", "hotel_name"],
    ["en", "Hotels in Leeds", "hotel_name"],
    ["fr", "Visiter le musée", "museum"],
  ])("are not a heading about places (%s: %s)", (lang, heading, property) => {
    expect(readObject(barePage(lang, heading), { [property]: STRING })).toEqual({});
  });

  it.each([
    ["en", "Hotel facilities", "hotel_name"],
    ["en", "Museum opening hours", "museum"],
    ["de", "Unser Hotel", "hotel_name"],
    ["de", "Das Museum als Lernort", "museum"],
    ["de", "Anfahrt zum Hotel", "hotel_name"],
  ])("are not a heading with the bare kind (%s: %s)", (lang, heading, property) => {
    expect(readObject(barePage(lang, heading), { [property]: STRING })).toEqual({});
  });

  it("are not the name of a site that is mentioned once", () => {
    const html = barePage("en", "Rooms and rates").replace(
      "</main>",
      "</main><footer>© 2026 Seeblick</footer>",
    );
    expect(readObject(html, { hotel_name: STRING })).toEqual({});
  });
});

describe("telephone and address of header and footer", () => {
  const CONTACTS = { phone: STRING, address: STRING };

  it("belong to the place when the heading is the name of the site", () => {
    expect(readObject(sitePage("de", SITE), CONTACTS)).toEqual({
      phone: "+49 7531 9000",
      address: "Uferweg 4, 78462 Konstanz",
    });
  });

  it.each([
    ["de", "Ada Holm"],
    ["de", "Lampe aus Eiche"],
    ["en", "Restaurants in Konstanz"],
    ["en", "Gasthof Adler"],
  ])("do not belong to a page about something else (%s: %s)", (lang, heading) => {
    expect(readObject(sitePage(lang, heading), CONTACTS)).toEqual({});
  });
});
