import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const pricesOf = (lang: string, main: string, list: string): unknown[] =>
  readRows(pageOf(lang, main), list, { name: STRING, price: NUMBER }).map(({ name, price }) => [
    name,
    price,
  ]);
const ticket = (name: string, price: string): string =>
  `<li class="ticket"><h3 class="ticket__name">${name}</h3><p class="ticket__price">${price}</p></li>`;
const goods = (name: string, price: string, other: string): string =>
  `<article class="product"><h3>${name}</h3><p class="price">${price}</p>${other}</article>`;

describe("tickets and plans called Member", () => {
  it.each([
    ["en", "Member", "Non-member", "Student", "€"],
    ["de", "Mitglied", "Nichtmitglied", "Studierende", "€"],
    ["en", "Members", "General public", "Students", "£"],
  ])("have their own price (%s, %s)", (lang, member, other, student, sign) => {
    const main = `<h1>Tickets</h1><ul>${ticket(member, `${sign}180`)}${ticket(other, `${sign}240`)}${ticket(student, `${sign}60`)}</ul>`;
    expect(pricesOf(lang, main, "tickets")).toEqual([
      [member, 180],
      [other, 240],
      [student, 60],
    ]);
  });

  it("have their own price in a table", () => {
    const main = `<h1>Fees</h1>${tableOf(["Ticket", "Price"], ["Member", "€180"], ["Guest", "€240"], ["Student", "€60"])}`;
    expect(
      readRows(pageOf("en", main), "tickets", { ticket: STRING, price: NUMBER }).map((row) => [
        row.ticket,
        row.price,
      ]),
    ).toEqual([
      ["Member", 180],
      ["Guest", 240],
      ["Student", 60],
    ]);
  });

  it.fails("have their own price as plans of a club", () => {
    const plan = (name: string, price: string): string =>
      `<section class="plan"><h2>${name}</h2><p class="plan-price">${price} <span>/ month</span></p><ul><li>Library</li></ul></section>`;
    const main = `<h1>Plans</h1>${plan("Visitor", "$5")}${plan("Member", "$19")}${plan("Patron", "$49")}`;
    expect(pricesOf("en", main, "plans")).toEqual([
      ["Visitor", 5],
      ["Member", 19],
      ["Patron", 49],
    ]);
  });
});

describe("member price beside a price", () => {
  const OTHER = [
    ["en", "Member price", "$"],
    ["en", "Members pay", "$"],
    ["de", "Mitgliederpreis", "€"],
    ["es", "Precio socio", "€"],
  ] as const;
  const UNKNOWN = [
    ["fr", "Prix membre", "€"],
    ["nl", "Ledenprijs", "€"],
    ["it", "Prezzo soci", "€"],
  ] as const;
  const shop = (label: string, sign: string): string => {
    const other = (amount: string): string => `<p class="note">${label}: ${sign}${amount}</p>`;
    return `<h1>Shop</h1>${goods("Tea Towel", `${sign}12.00`, other("9.60"))}${goods("Mug", `${sign}15.00`, other("12.75"))}${goods("Poster", `${sign}20.00`, other("16.50"))}`;
  };
  const PRICES = [12, 15, 20];

  it.each(OTHER)("is not the price of a record (%s, %s)", (lang, label, sign) => {
    const rows = readRows(pageOf(lang, shop(label, sign)), "products", { price: NUMBER });
    expect(rows.map((row) => row.price)).toEqual(PRICES);
  });

  it.each(UNKNOWN)("is never the price of a record (%s, %s)", (lang, label, sign) => {
    const rows = readRows(pageOf(lang, shop(label, sign)), "products", { price: NUMBER });
    for (const { price } of rows) expect([undefined, ...PRICES]).toContain(price);
  });

  it.fails.each(UNKNOWN)("leaves a record its own price (%s, %s)", (lang, label, sign) => {
    const rows = readRows(pageOf(lang, shop(label, sign)), "products", { price: NUMBER });
    expect(rows.map((row) => row.price)).toEqual(PRICES);
  });

  it.each([...OTHER, ...UNKNOWN])(
    "is not the price when it comes first (%s, %s)",
    (lang, label, sign) => {
      const main = `<h1>Tea Towel</h1><p class="offer">${label}: ${sign}9.60</p><p class="price">${sign}12.00</p>`;
      expect([undefined, 12]).toContain(readObject(pageOf(lang, main), { price: NUMBER }).price);
    },
  );

  it("is read when the schema asks for it", () => {
    const main = `<h1>Tea Towel</h1><p class="price">$12.00</p><p class="offer">Member price: $9.60</p>`;
    expect(readObject(pageOf("en", main), { price: NUMBER, member_price: NUMBER })).toMatchObject({
      price: 12,
      member_price: 9.6,
    });
  });

  it("is missing when the page has the price only", () => {
    const main = `<h1>Tea Towel</h1><p class="price">$12.00</p><p>Become a member and save.</p>`;
    expect(readObject(pageOf("en", main), { member_price: NUMBER }).member_price).toBeUndefined();
  });
});
