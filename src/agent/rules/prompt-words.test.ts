import { describe, expect, it } from "vitest";
import { listLabels, readPromptWords, findUnexplainedWords } from "./prompt-words.ts";
import { compileTarget } from "../answer/target.ts";

const list = (name: string, ...fields: string[]) => ({
  type: "object",
  properties: {
    [name]: {
      type: "array",
      items: {
        type: "object",
        properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
      },
    },
  },
});
const values = (...fields: string[]) => ({
  type: "object",
  properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
});
const read = (prompt: string, schema: object) =>
  readPromptWords(prompt, compileTarget(schema as Record<string, unknown>));

describe("words of a request that rules must account for", () => {
  it.each([
    ["All lamps with name and price", list("lamps", "name", "price")],
    [
      "List every lamp including its e-mail address and phone number",
      list("lamps", "email", "phone", "address"),
    ],
    ["Alle Lampen mit Preis", list("lampen", "preis")],
    ["Extract the data", list("lamps", "name")],
    ["All lamps with founding year", list("lamps", "founded")],
  ])("accounts for %j by the schema alone", (prompt, schema) => {
    expect(read(prompt, schema)).toMatchObject({ open: [], conditions: [] });
  });

  it.each([
    ["All lamps that are sold out", list("lamps", "name"), ["sold"]],
    ["Which lamp is the cheapest?", values("lamp", "price"), ["cheapest"]],
    ["The price of the cheapest lamp", values("lamp", "cheapest_price"), ["cheapest"]],
    ["All lamps cheaper than 900 euros", list("lamps", "name", "price"), ["900", "euros"]],
    ["All lamps", list("discountedLamps", "name"), ["discounted"]],
    ["All lamps", { ...list("lamps", "name"), description: "lamps for gardens" }, ["gardens"]],
    ["Alle Lampen im Mai 2027 mit Preis", list("lampen", "preis"), ["mai", "2027"]],
  ])("does not account for the words of a condition: %j", (prompt, schema, expected) => {
    expect(read(prompt, schema).open).toEqual(expect.arrayContaining(expected));
  });

  it.each(["All lamps, but not the red ones", "Only lamps", "Lamps without a cable"])(
    "does not explain an excluded word by a page label: %j",
    (prompt) => {
      expect(read(prompt, list("lamps", "name")).conditions).toHaveLength(1);
    },
  );

  it("uses the title of a list schema as the name of the list", () => {
    const { lamps } = list("lamps", "name").properties as { lamps: object };
    expect(read("All lamps with name", lamps).open).toEqual(["lamps"]);
    expect(read("All lamps with name", { ...lamps, title: "Lamps" }).open).toEqual([]);
    expect(read("All lamps", { ...lamps, title: "Sold lamps" }).open).toEqual(["sold"]);
  });

  it("names the fields that the prompt mentions", () => {
    const { fields } = read("All lamps with their price", list("lamps", "name", "price", "sku"));
    expect([...fields]).toEqual(["price"]);
  });
});

describe("labels of pages", () => {
  const page = {
    url: "http://a.example/garden/list.html",
    title: "Lamps – Hill Shop",
    markdown: "# Garden lamps\n",
  };

  it("reads the heading, the parts of the title and the segments of the path", () => {
    expect(listLabels(page)).toEqual([["garden", "lamps"], ["lamps"], ["hill"], ["garden"]]);
  });

  it("counts a prompt word as explained when a page label consists of it and known words", () => {
    const words = read("All garden lamps with price", list("lamps", "price"));
    expect(words.open).toEqual(["garden"]);
    expect(findUnexplainedWords(page, words)).toEqual([]);
    const both = { url: "http://a.example/", title: "", markdown: "# Garden and kitchen lamps" };
    expect(findUnexplainedWords(both, words)).toEqual(["garden"]);
  });

  it("explains the name of an identifier on the page, such as SKU beside the number in the URL", () => {
    const words = read("Price of the lamp with the SKU LN-77", values("price"));
    const lamp = {
      url: "http://a.example/lamps/LN-77",
      title: "",
      markdown: "# Glow\n\nSKU: LN-77\n",
    };
    expect(findUnexplainedWords(lamp, words)).toEqual([]);
    expect(findUnexplainedWords({ ...lamp, url: "http://a.example/lamps/LN-78" }, words)).toContain(
      "77",
    );
  });
});
