import { describe, expect, test } from "vitest";
import { threadCpuMs } from "../../../../test/cpu-time.ts";
import { derivePage, draftPage } from "../../../../test/understanding/derive-page.ts";
import {
  ARTICLE,
  EVENT,
  JOB,
  LISTING,
  PERSON,
  PLAIN_PRODUCT,
  PRODUCT,
} from "../../../../test/understanding/pages.ts";

const object = (properties: Record<string, unknown>, rest: object = {}) => ({
  type: "object",
  properties,
  ...rest,
});
const text = { type: "string" };
const list = (items: unknown) => ({ type: "array", items });

describe("draftJson from scripts", () => {
  test("reads a product from a JSON-LD graph under other names and nested things", () => {
    const draft = draftPage(
      PRODUCT,
      object({
        productName: text,
        price: { type: "number" },
        currency: { type: "string", enum: ["USD", "EUR"] },
        in_stock: { type: "boolean" },
        brand_name: text,
        rating: { type: "number" },
        review_count: { type: "integer" },
        image_url: { type: "string", format: "uri" },
        battery_life: text,
        description: text,
        gtin: text,
        reviews: list(object({ author: text, rating: { type: "integer" }, body: text })),
        warranty_years: { type: "integer" },
      }),
    );
    expect(draft.value).toEqual({
      productName: "Trail Lamp 300",
      price: 49.9,
      currency: "EUR",
      in_stock: true,
      brand_name: "Northlight",
      rating: 4.6,
      review_count: 1284,
      image_url: "https://site.example/img/lamp.jpg",
      battery_life: "40 h",
      description: "A head lamp for long nights. Water-proof.",
      gtin: "4006381333931",
      reviews: [
        { author: "Mia", rating: 5, body: "Bright." },
        { author: "Jon", rating: 3, body: "Heavy." },
      ],
    });
    expect(draft.missing).toEqual(["warranty_years"]);
    expect(draft.evidence["/price"]).toMatchObject({
      source: "json-ld",
      path: "@graph[2].offers.price",
      text: "49.90",
    });
    expect(draft.strong).toContain("/price");
  });

  test("reads a job from framework state", () => {
    const draft = draftPage(
      JOB,
      object({
        job_title: text,
        company_name: text,
        city: text,
        remote: { type: "boolean" },
        employment_type: { enum: ["full-time", "part-time"] },
        salary: object({ min: { type: "number" }, max: { type: "number" }, currency: text }),
        posted_at: { type: "string", format: "date" },
        application_deadline: { type: "string", format: "date" },
        responsibilities: list(text),
      }),
    );
    expect(draft.value).toEqual({
      job_title: "Marine Engineer",
      company_name: "Northlight Ferries",
      city: "Bergen",
      remote: false,
      employment_type: "full-time",
      salary: { min: 620000, max: 740000, currency: "NOK" },
      posted_at: "2027-02-01",
      application_deadline: "2027-03-15",
      responsibilities: ["Keep engines running", "Train the crew"],
    });
    expect(draft.strong).toEqual([]);
  });

  test("reads a JSON response", () => {
    const body = JSON.stringify({
      result: {
        items: [
          { id: 1, title: "Ebb" },
          { id: 2, title: "Flow" },
        ],
      },
    });
    const schema = object({ items: list(object({ id: { type: "integer" }, title: text })) });
    const { document } = derivePage(
      body,
      [{ type: "json", schema, checkPromptInjection: false, evidence: false }],
      "application/json",
    );
    expect(document.json).toEqual({
      items: [
        { id: 1, title: "Ebb" },
        { id: 2, title: "Flow" },
      ],
    });
  });

  test("reads state that a script assigns, and state that was packed flat", () => {
    const assigned = `<script>window.__INITIAL_STATE__ = {"film":{"title":"Ebb","director":"Ida Falk","duration":"PT1H34M"}};</script>`;
    const schema = object({ title: text, director: text, duration_minutes: { type: "integer" } });
    expect(draftPage(assigned, schema).value).toEqual({
      title: "Ebb",
      director: "Ida Falk",
      duration_minutes: 94,
    });
    const packed = `<script id="__NUXT_DATA__" type="application/json">[{"film":1},{"title":2,"director":3,"duration":4},"Ebb","Ida Falk","PT1H34M"]</script>`;
    expect(draftPage(packed, schema).value).toEqual({
      title: "Ebb",
      director: "Ida Falk",
      duration_minutes: 94,
    });
  });
});

describe("draftJson from markup", () => {
  test("reads an event from microdata with its place and offer", () => {
    const draft = draftPage(
      EVENT,
      object({
        title: text,
        start: { type: "string", format: "date-time" },
        end_date: { type: "string", format: "date" },
        venue: text,
        address: object({ street: text, city: text, country: text }),
        ticket_price: { type: "number" },
        performers: list(text),
      }),
    );
    expect(draft.value).toEqual({
      title: "Harbour Nights",
      start: "2027-06-04T20:00:00+02:00",
      end_date: "2027-06-04",
      venue: "Old Pier",
      address: { street: "Quay 7", city: "Kiel", country: "DE" },
      ticket_price: 18.5,
      performers: ["The Moorings", "Salt & Rope"],
    });
    expect(draft.evidence["/title"]).toMatchObject({
      source: "microdata",
      selector: expect.stringContaining("h1"),
    });
  });

  test("reads a person from RDFa, completed from a definition list", () => {
    const draft = draftPage(
      PERSON,
      object({
        name: text,
        position: text,
        organization: text,
        email: { type: "string", format: "email" },
        phone: text,
        birth_date: { type: "string", format: "date" },
      }),
    );
    expect(draft.value).toEqual({
      name: "Ada Marlow",
      position: "Professor of Hydrology",
      organization: "University of Bremen",
      email: "ada@uni.example",
      phone: "+49 421 5550",
      birth_date: "1971-03-12",
    });
  });

  test("reads an article from meta elements", () => {
    const draft = draftPage(
      ARTICLE,
      object({
        headline: text,
        author: text,
        published_at: { type: "string", format: "date-time" },
        section: text,
        tags: list(text),
        site_name: text,
        image: { type: "string", format: "uri" },
        language: text,
      }),
    );
    expect(draft.value).toEqual({
      headline: "Tides rise in the north",
      author: "Petra Holm",
      published_at: "2027-01-09T07:30:00Z",
      section: "Coast",
      tags: ["tides", "north sea", "weather"],
      site_name: "The Daily Gull",
      image: "https://gull.example/tides.jpg",
      language: "en",
    });
  });
});

describe("draftJson from visible content", () => {
  test("reads labels, definition lists, tables and lists under headings in another language", () => {
    const draft = draftPage(
      PLAIN_PRODUCT,
      object({
        name: text,
        price: { type: "number" },
        manufacturer: text,
        sku: text,
        color: text,
        weight: text,
        height: text,
        features: list(text),
        rating: { type: "number" },
      }),
    );
    expect(draft.value).toEqual({
      name: "Wanderstuhl Kolo",
      price: 1249,
      manufacturer: "Holzwerk Süd",
      sku: "HS-7781",
      color: "Eiche natur",
      weight: "2,4 kg",
      height: "78 cm",
      features: ["faltbar", "wetterfest", "aus einem Stück"],
    });
    expect(draft.missing).toEqual(["rating"]);
    expect(draft.evidence["/manufacturer"]).toMatchObject({
      source: "label",
      text: "Holzwerk Süd",
    });
  });

  test("reads repeated cards as a list", () => {
    const draft = draftPage(
      LISTING,
      object({
        products: list(
          object(
            {
              name: text,
              price: { type: "number" },
              url: { type: "string", format: "uri" },
              image: { type: "string", format: "uri" },
            },
            { required: ["name", "price"] },
          ),
        ),
      }),
    );
    expect(draft.value).toEqual({
      products: [
        {
          name: "Trail Lamp 300",
          price: 49.9,
          url: "https://site.example/p/lamp-300",
          image: "https://site.example/img/lamp-300.jpg",
        },
        {
          name: "Camp Lamp 150",
          price: 29,
          url: "https://site.example/p/lamp-150",
          image: "https://site.example/img/lamp-150.jpg",
        },
        {
          name: "Cave Lamp 900",
          price: 1119,
          url: "https://site.example/p/lamp-900",
          image: "https://site.example/img/lamp-900.jpg",
        },
      ],
    });
  });

  test("reads a list of very many rows in linear time", () => {
    const from = threadCpuMs();
    draftPage(
      `<ul>${"<li>a</li>".repeat(40_000)}</ul>`,
      object({ rows: list(object({ name: text })) }),
    );
    expect(threadCpuMs() - from).toBeLessThan(5_000);
  });

  test("reads table rows by the names in the table header", () => {
    const draft = draftPage(
      LISTING,
      object({ shops: list(object({ city: text, telephone: text })) }),
    );
    expect(draft.value).toEqual({
      shops: [
        { city: "Kiel", telephone: "0431 12" },
        { city: "Bergen", telephone: "55 20" },
      ],
    });
  });
});

describe("draftJson of shop pages", () => {
  const item = object({
    name: text,
    price: { type: "number" },
    sku: text,
    availability: { type: "string", enum: ["InStock", "OutOfStock"] },
  });
  const variant = (sku: string, state: string): string =>
    `<script type="application/ld+json">{"@type":"Product","name":"Deck shoe","sku":"${sku}","offers":{"@type":"Offer","price":"69.95","priceCurrency":"EUR","availability":"https://schema.org/${state}"}}</script>`;

  test("leaves out the product code when each variant has its own, and reports in stock when one variant is", () => {
    const page = `${variant("DS-41", "OutOfStock")}${variant("DS-42", "InStock")}<main><h1>Deck shoe</h1></main>`;
    const draft = draftPage(page, item);
    expect(draft.value).toEqual({ name: "Deck shoe", price: 69.95, availability: "InStock" });
    expect(draft.reasons["/sku"]).toContain("variants");
  });

  test("reads a product code behind the shop's name, without brackets and words around it", () => {
    const page = (label: string, code: string): string =>
      `<main><h1>Deck shoe</h1><dl><dt>${label}</dt><dd>${code}</dd></dl></main>`;
    expect(draftPage(page("Site item number", "302474"), item).value).toMatchObject({
      sku: "302474",
    });
    expect(draftPage(page("商品編號", "〈M672-96〉"), item).value).toMatchObject({
      sku: "M672-96",
    });
    expect(draftPage(page("Référence", "TE502-12 Chaussure"), item).value).toMatchObject({
      sku: "TE502-12",
    });
    expect(draftPage(page("SKU", "Deck shoes"), item).value).not.toHaveProperty("sku");
  });

  test("prefers the price with tax where the page also shows it without", () => {
    const page =
      "<main><h1>Maska</h1><ul><li><span>100.00€</span></li><li>Brez DDV: <span>81.97€</span></li></ul><label>Brez dioptrije (-40.00€)</label></main>";
    expect(draftPage(page, item).value).toMatchObject({ price: 100 });
  });

  test("reads declared data even if the page's scripts carry thousands of other items", () => {
    const noise = JSON.stringify({
      list: Array.from({ length: 900 }, (_, at) => ({ price: at, name: `n${at}` })),
    });
    const page = `<script>window.__STATE__=${noise}</script><main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Deck shoe</h1><meta itemprop="sku" content="DS-9"></main>`;
    expect(draftPage(page, item).value).toMatchObject({ name: "Deck shoe", sku: "DS-9" });
  });
});

describe("draftJson schemas", () => {
  test("supports schema references, alternatives and null from draft-07 to 2020-12", () => {
    const draft = draftPage(PRODUCT, {
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/Lamp",
      definitions: {
        Lamp: object(
          {
            name: text,
            offer: { $ref: "#/definitions/Offer" },
            rating: { anyOf: [{ type: "null" }, { type: "number" }] },
            warranty: { type: ["string", "null"] },
          },
          { required: ["name", "warranty"] },
        ),
        Offer: object({ price: { type: "number" }, currency: text }),
      },
    });
    expect(draft.value).toEqual({
      name: "Trail Lamp 300",
      offer: { price: 49.9, currency: "EUR" },
      rating: 4.6,
      warranty: null,
    });
  });

  test("omits values that do not fit the schema instead of changing them", () => {
    const draft = draftPage(
      PRODUCT,
      object({
        name: { type: "string", maxLength: 5 },
        price: { type: "number", minimum: 100 },
        sku: { type: "string", pattern: "^NL-" },
        review_count: { type: "boolean" },
      }),
    );
    expect(draft.value).toEqual({ sku: "NL-300" });
    expect(draft.dropped).toEqual([
      "/price must be 100 or more",
      "/name must have at most 5 characters",
    ]);
  });

  test("stops at a circular schema", () => {
    const schema = {
      $defs: { Node: object({ name: text, child: { $ref: "#/$defs/Node" } }) },
      $ref: "#/$defs/Node",
    };
    expect(draftPage(PRODUCT, schema).value).toMatchObject({ name: "Trail Lamp 300" });
  });

  test("uses the names in the prompt as fields when there is no schema", () => {
    const { document } = derivePage(PRODUCT, [
      {
        type: "json",
        prompt: "Extract the title, the price and the brand of the lamp",
        checkPromptInjection: false,
        evidence: false,
      },
    ]);
    expect(document.json).toEqual({ title: "Trail Lamp 300", price: "49.90", brand: "Northlight" });
  });

  test("returns the page's main item when there are neither schema nor names", () => {
    const { document } = derivePage(EVENT, [
      { type: "json", prompt: "Everything, please", checkPromptInjection: false, evidence: false },
    ]);
    expect(document.json).toMatchObject({
      type: "MusicEvent",
      name: "Harbour Nights",
      location: { name: "Old Pier" },
    });
  });

  test("returns no value for a page without matching data", () => {
    const draft = draftPage(
      "<p>Nothing here.</p>",
      object({ price: { type: "number" }, sku: text }),
    );
    expect(draft.value).toBeUndefined();
    expect(draft.missing).toEqual(["price", "sku"]);
  });
});
