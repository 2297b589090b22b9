// Runs by rules over sites of several pages, with a schema: levels, pagination, namesakes, what the schema demands.
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentCalls } from "../agent-runs.ts";
import { startService, type Service } from "../service.ts";
import {
  PEOPLE,
  PRODUCTS,
  shop,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
} from "../site/agent-sites.ts";

let service: Service;
const { start, finish, run } = agentCalls(() => service);
beforeAll(async () => {
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  await service.close();
});

const staff = { prompt: "All members of staff with their title, e-mail, phone and department" };
const people = PEOPLE.map(({ name, title, email, phone, department }) => ({
  name,
  title,
  email,
  phone,
  department,
}));
const byEmail = (rows: readonly { readonly email: string }[]) =>
  rows.toSorted((one, other) => one.email.localeCompare(other.email));

type Sources = Record<string, { url: string; text?: string }[]>;

it("a staff directory of three levels becomes one row for each person, namesakes kept apart", async () => {
  await using site = await startPages(staffDirectory());
  const id = await start({ ...staff, urls: [site.url], schema: STAFF_SCHEMA });
  const state = await finish(id);
  expect(state).toMatchObject({ status: "completed" });
  const { staff: rows } = state.data as { staff: typeof people };
  expect(byEmail(rows)).toEqual(byEmail(people));
  const sources = state["sources"] as Sources;
  for (const [index, { email }] of rows.entries()) {
    const [source] = sources[`/staff/${index}/email`] ?? [];
    expect(source?.url).toContain("/people/");
    expect(source?.text).toBe(email);
    for (const field of ["name", "title", "phone", "department"] as const)
      expect(sources[`/staff/${index}/${field}`]?.[0]?.text, field).toContain(rows[index]?.[field]);
  }
  expect(state["warning"]).toContain("No language model was used");
});

it("a schema that is itself a list is filled as one", async () => {
  await using site = await startPages(staffDirectory());
  const schema = STAFF_SCHEMA.properties.staff;
  const state = await run({ ...staff, urls: [site.url], schema });
  expect(byEmail(state.data as typeof people)).toEqual(byEmail(people));
  expect(Object.keys(state["sources"] as Sources)).toContain("/0/name");
});

it("a shop in pages: every product once, with what only its own page says", async () => {
  await using site = await startPages(shop());
  const schema = {
    type: "object",
    properties: {
      products: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            price: { type: "number" },
            sku: { type: "string" },
          },
          required: ["name", "price"],
        },
      },
    },
  };
  const state = await run({ prompt: "All lanterns with their price", urls: [site.url], schema });
  const { products } = state.data as { products: typeof PRODUCTS };
  const sorted = products.toSorted((one, other) => one.sku.localeCompare(other.sku));
  expect(sorted).toEqual(PRODUCTS);
});

it("rows that lack what the schema demands are left out and counted; what nobody says is named", async () => {
  await using site = await startPages(staffDirectory());
  const item = STAFF_SCHEMA.properties.staff.items;
  const schema = {
    type: "array",
    items: {
      ...item,
      properties: { ...item.properties, shoeSize: { type: "number" } },
      required: ["name", "shoeSize"],
    },
  };
  const state = await run({ ...staff, urls: [site.url], schema });
  expect(state).toMatchObject({ status: "completed", data: [] });
  expect(state["warning"]).toContain("12 rows lack");
  expect(state["warning"]).toContain("shoeSize");
});

it("single values are found on the page that has them; what the schema demands and nobody says fails the run", async () => {
  await using site = await startPages(staffDirectory());
  const properties = { phone: { type: "string" }, email: { type: "string" } };
  const ask = { prompt: "phone and email of Greta Sato", urls: [`${site.url}/people/greta-sato`] };
  const found = await run({ ...ask, schema: { type: "object", properties } });
  expect(found.data).toEqual({ phone: "+49 30 555 0106", email: "greta.sato@institute.example" });
  const demanding = {
    type: "object",
    properties: { ...properties, shoeSize: { type: "number" } },
    required: ["shoeSize"],
  };
  const state = await run({ ...ask, schema: demanding, strictConstrainToURLs: true });
  expect(state).toMatchObject({
    status: "failed",
    creditsUsed: 0,
    partial: { phone: "+49 30 555 0106" },
    partialSchemaValid: false,
  });
});

it("a site that cannot be read fails the run", async () => {
  const state = await run({ prompt: "p", urls: ["http://127.0.0.1:9/"], effort: "low" });
  expect(state).toMatchObject({ status: "failed", creditsUsed: 0 });
  expect(state.error).toContain("No page could be read");
});
