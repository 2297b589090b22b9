import { describe, expect, it } from "vitest";
import { programSchema, type ExtractorProgram } from "../contract/extractors/program.ts";
import { parseHtml } from "../html/parse/parse.ts";
import { ExtractorPage } from "./extractor-page.ts";
import { runProgram } from "./run-program.ts";

const open = (body: string): ExtractorPage =>
  new ExtractorPage({
    document: parseHtml(`<!doctype html><html lang="en-GB"><body>${body}</body></html>`),
    url: "https://shop.example/p/1",
  });
const program = (fields: object, rest: object = {}): ExtractorProgram =>
  programSchema.parse({ version: 1, fields, ...rest });
const valueOf = (fields: object, body: string, rest?: object): unknown =>
  runProgram(program(fields, rest), open(body)).value;

describe("runProgram", () => {
  it("copies the words at a place with their reference, quote and position", () => {
    const page = open("<main><h1>Fjell Jacket</h1><p class='by'>by Ann Lee on Monday</p></main>");
    const { value, evidence } = runProgram(
      program({
        author: { type: "string", path: "p.by", take: { after: "by", before: "on" } },
      }),
      page,
    );
    expect(value).toEqual({ author: "Ann Lee" });
    const { ref, text, position } = evidence["/author"] ?? {};
    expect(page.model.find(ref ?? "")?.element.name).toBe("p");
    expect(text).toBe("by Ann Lee on Monday");
    expect(page.model.text.slice(...(position ?? [0, 0]))).toBe("Ann Lee");
  });

  it("extracts nothing where a place holds several values", () => {
    const body = "<main><b class='price'>£3</b><b class='price'>£4</b></main>";
    const result = runProgram(program({ price: { type: "string", path: "b.price" } }), open(body));
    expect(result.value).toBeUndefined();
    expect(result.missing["/price"]).toBe('its place holds several values: "£3", "£4"');
  });

  it("counts texts that do not fit the field's type as violations", () => {
    const fields = { price: { type: "number", path: "b.price" } };
    const result = runProgram(
      program(fields),
      open("<main><b class='price'>on request</b></main>"),
    );
    expect(result.counts).toEqual({ price: { expected: 1, found: 0, violations: 1 } });
  });

  it("uses a fallback place when earlier places have no value", () => {
    const field = { type: "string", path: "b.sale", fallback: [{ path: "b.price" }] };
    expect(valueOf({ price: field }, "<b class='price'>£4</b>")).toEqual({ price: "£4" });
    expect(valueOf({ price: field }, "<b class='price'>£4</b><b class='sale'>£3</b>")).toEqual({
      price: "£3",
    });
  });

  it("reads values beside labels, below headings, in meta elements and in linked data", () => {
    const body = `<meta property="og:title" content="Seen"><script type="application/ld+json">{"@type":"Product","offers":{"price":"4.50"}}</script>
      <h2>Fish</h2><dl><dt>Item no.</dt><dd>FJ-1</dd></dl>`;
    expect(
      valueOf(
        {
          sku: { type: "string", anchor: { label: "Item no." } },
          title: { type: "string", data: { kind: "meta", path: "og:title" } },
          price: { type: "number", data: { kind: "json-ld", path: "Product.offers.price" } },
        },
        body,
      ),
    ).toEqual({ sku: "FJ-1", title: "Seen", price: 4.5 });
    const records = { path: "dl" };
    const fields = { group: { type: "string", data: { kind: "heading", path: "h2" } } };
    expect(valueOf(fields, body, { records })).toEqual([{ group: "Fish" }]);
  });

  it("maps texts to values and leaves out unknown texts", () => {
    const field = { type: "boolean", path: "p", values: { "In stock": true, "Sold out": false } };
    expect(valueOf({ stock: field }, "<p>in stock</p>")).toEqual({ stock: true });
    expect(valueOf({ stock: field }, "<p>Ships in May</p>")).toBeUndefined();
  });

  it("drops the weaker of two fields that read the same words", () => {
    const fields = {
      material: { type: "string", path: "dd:nth-of-type(1)" },
      weight: { type: "string", anchor: { label: "Weight" } },
    };
    const result = runProgram(program(fields), open("<dl><dt>Weight</dt><dd>4 kg</dd></dl>"));
    expect(result.value).toEqual({ weight: "4 kg" });
    expect(result.missing["/material"]).toBe("its place holds the value of weight");
  });

  it("keeps fields named like properties of objects", () => {
    const fields = Object.fromEntries([
      ["__proto__", { type: "string", path: "h1" }],
      ["constructor", { type: "string", path: "h1" }],
    ]);
    const value = runProgram(
      { version: 1, fields } as unknown as ExtractorProgram,
      open("<h1>Cap</h1>"),
    ).value as object;
    expect(Object.entries(value)).toEqual([
      ["__proto__", "Cap"],
      ["constructor", "Cap"],
    ]);
  });

  it("runs a program in linear time", () => {
    const fields = {
      name: { type: "string", path: "div div div div p.x > b" },
      price: { type: "number", path: "b", anchor: { label: "Price" } },
    };
    const run = (rows: number): number => {
      const body = "<div>".repeat(200) + "<div><p class='x'>Price <b>4</b></p></div>".repeat(rows);
      const page = open(body);
      const started = process.cpuUsage();
      runProgram(program(fields, { records: { path: "div" } }), page);
      runProgram(program(fields), page);
      const { user } = process.cpuUsage(started);
      return user;
    };
    run(2_000);
    const [small, large] = [run(2_000), run(16_000)];
    expect(large).toBeLessThan(small * 8 * 4 + 50_000);
  });
});
