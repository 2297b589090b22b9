import { describe, expect, it } from "vitest";
import { verifyValue } from "./verify-value.ts";

const pages = [
  { url: "a", markdown: "Ada has 3 boats in Kiel." },
  { url: "b", markdown: "Bruno has 5 boats in Kiel." },
];

describe("verifyValue", () => {
  it("keeps values that a page contains and prefers the page read last", () => {
    const { value, places, dropped } = verifyValue(
      { who: "Ada", town: "Kiel", boats: [3, 5, 7] },
      pages,
    );
    expect(value).toEqual({ who: "Ada", town: "Kiel", boats: [3, 5] });
    expect(places["/who"]).toMatchObject({ url: "a", text: "Ada" });
    expect(places["/town"]?.url).toBe("b");
    expect(places["/boats/1"]).toMatchObject({ url: "b", text: "5" });
    expect(dropped).toEqual(["/boats/2"]);
  });

  it("keeps positions with their values when earlier entries are dropped", () => {
    const { value, places } = verifyValue([{ who: "Carla" }, { who: "Bruno" }], pages);
    expect(value).toEqual([{ who: "Bruno" }]);
    expect(places["/0/who"]?.url).toBe("b");
  });

  it("requires a verbatim quote for values stated in other words", () => {
    const quotes = new Map([
      ["/owns", "Ada has 3 boats"],
      ["/rents", "Ada rents"],
    ]);
    const { value, dropped } = verifyValue({ owns: true, rents: false, none: null }, pages, quotes);
    expect(value).toEqual({ owns: true });
    expect(dropped).toEqual(["/rents"]);
  });

  it("drops values that no page contains", () => {
    expect(verifyValue({ a: { b: "x" } }, pages).value).toBeUndefined();
    expect(verifyValue("zzz", pages).dropped).toEqual(["the whole"]);
  });
});

it("accepts a number only beside the label or sign of its property, or from a copied cell", () => {
  const page = { url: "https://a.example/", markdown: "Seats: 12\n\nOpen since 1998\n\n£49.50" };
  const { value, dropped } = verifyValue({ seats: 12, rooms: 1998, price: 49.5 }, [page]);
  expect(value).toEqual({ seats: 12, price: 49.5 });
  expect(dropped).toEqual(["/rooms"]);
  const cells = { url: "https://a.example/", markdown: "12\n1998", areCells: true };
  expect(verifyValue({ rooms: 1998 }, [cells]).value).toEqual({ rooms: 1998 });
});
