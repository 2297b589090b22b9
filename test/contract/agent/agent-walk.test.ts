// Rule-based runs over sites of several pages with a schema: levels, pagination, namesakes,
// required fields.
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentCalls } from "../../agent-runs.ts";
import { shareService, type Service } from "../../service.ts";
import {
  docsSite,
  INSTITUTE_SCHEMA,
  INSTITUTES,
  PEOPLE,
  PRODUCTS,
  shop,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  universitySite,
  type PageAnswer,
} from "../../site/agent-sites.ts";

let service: Service;
const { start, finish, run } = agentCalls(() => service);
beforeAll(async () => {
  service = await shareService();
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
const byEmail = <T extends { readonly email: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => one.email.localeCompare(other.email));

type Sources = Record<string, { url: string; text?: string }[]>;

it("turns a three-level staff directory into one row per person and keeps namesakes apart", async () => {
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

it("fills a schema that is itself a list", async () => {
  await using site = await startPages(staffDirectory());
  const schema = { ...STAFF_SCHEMA.properties.staff, title: "Staff" };
  const state = await run({ ...staff, urls: [site.url], schema });
  expect(byEmail(state.data as typeof people)).toEqual(byEmail(people));
  expect(Object.keys(state["sources"] as Sources)).toContain("/0/name");
});

it("reads a paginated shop completely with details from the product pages", async () => {
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

it("fills the rows of every list in a schema from their own pages", async () => {
  await using site = await startPages(universitySite());
  const prompt = "All institutes with founding year and phone, all staff with title and e-mail";
  const state = await run({ prompt, urls: [site.url], schema: INSTITUTE_SCHEMA });
  expect(state.status, state.error).toBe("completed");
  const { institutes, staff: people } = state.data as {
    institutes: typeof INSTITUTES;
    staff: { name: string; title: string; email: string }[];
  };
  expect(institutes).toEqual(INSTITUTES);
  expect(people).toEqual(
    PEOPLE.slice(0, 4).map(({ name, title, email }) => ({ name, title, email })),
  );
});

it("returns the cell where the named row and column of a table meet, and reads no sentence", async () => {
  await using site = await startPages(docsSite());
  const ask = async (prompt: string, name: string) => {
    const schema = { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
    return await run({ prompt, urls: [site.url], schema });
  };
  const limit = await ask("What is the upload limit of the plan called Team?", "uploadLimit");
  expect(limit).toMatchObject({
    data: { uploadLimit: "2 GB" },
    sources: { "/uploadLimit": [{ url: `${site.url}/limits`, text: "2 GB" }] },
  });
  const span = await ask("What is the maximum wingspan of the heron?", "wingspan");
  expect(span).toMatchObject({ status: "failed", stopReason: "needs_model", creditsUsed: 0 });
  expect(span.error).toContain("no table has it");
});

it.each([
  ["All lanterns that cost less than 40", "less"],
  ["Lanterns made of brass", "brass"],
  ["The cheapest lanterns", "cheapest"],
  ["All lanterns, not the blue ones", "not"],
])("needs a model for %j, says why and charges nothing", async (prompt, word) => {
  await using site = await startPages(shop());
  const { items } = {
    items: { type: "object", properties: { name: {}, price: { type: "number" } } },
  };
  const schema = { type: "object", properties: { products: { type: "array", items } } };
  const { key } = await service.createKey({ creditBudget: 1_000 });
  const id = await start({ prompt, urls: [site.url], schema }, key);
  await expect
    .poll(async () => (await service.ask(`/v2/agent/${id}`, { key })).body["status"], {
      timeout: 30_000,
    })
    .toBe("failed");
  const { body } = await service.ask(`/v2/agent/${id}`, { key });
  expect(body).toMatchObject({ stopReason: "needs_model", creditsUsed: 0 });
  expect(body["error"]).toContain(`"${word}"`);
  expect(body["error"]).toContain("rows of products were found");
  expect(body["partial"]).toHaveProperty("products");
});

it("reads the value of the named thing among many similar ones", async () => {
  await using site = await startPages(shop());
  const schema = { type: "object", properties: { price: { type: "number" } } };
  const prompt = "Price of the lantern with the SKU LN-1021";
  const state = await run({ prompt, urls: [site.url], schema });
  expect(state.data).toEqual({ price: 40.5 });
  const sources = state["sources"] as Sources;
  expect(sources["/price"]?.[0]?.url).toBe(`${site.url}/lanterns/LN-1021`);
});

it("does not treat group headings as rows (README schema)", async () => {
  await using site = await startPages(staffDirectory());
  const { name, title, email, phone } = STAFF_SCHEMA.properties.staff.items.properties;
  const items = { type: "object", properties: { name, title, email, phone }, required: ["name"] };
  const prompt = "all members of staff with title, e-mail and phone";
  const state = await run({
    prompt,
    urls: [site.url],
    schema: { title: "staff", type: "array", items },
  });
  const expected = PEOPLE.map((person) => ({
    name: person.name,
    title: person.title,
    email: person.email,
    phone: person.phone,
  }));
  expect(byEmail(state.data as typeof expected)).toEqual(byEmail(expected));
});

it("names a row by its page's heading, not by a label", async () => {
  await using site = await startPages(staffDirectory());
  const { name, email } = STAFF_SCHEMA.properties.staff.items.properties;
  const schema = {
    title: "Staff",
    type: "array",
    items: { type: "object", properties: { name, email }, required: ["email"] },
  };
  const prompt = "All members of staff with e-mail";
  const state = await run({ prompt, urls: [`${site.url}/departments`], schema });
  expect(byEmail(state.data as typeof people)).toEqual(
    byEmail(PEOPLE.map((person) => ({ name: person.name, email: person.email }))),
  );
});

it("drops and counts rows without required fields and names missing values", async () => {
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
  expect(state).toMatchObject({ status: "failed", stopReason: "needs_model", partial: [] });
  expect(state["warning"]).toContain("12 rows were left out because they lack");
  expect(state["warning"]).toContain("shoeSize");
});

it("finds single values on their page and fails the run when a required one is missing", async () => {
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
    code: "AGENT_INCOMPLETE",
  });
});

it("reads pages concurrently", async () => {
  const meeting = Promise.withResolvers<void>();
  let waiting = 0;
  const meet =
    (text: string): PageAnswer =>
    (_request, response) => {
      waiting += 1;
      if (waiting === 2) meeting.resolve();
      void meeting.promise.then(() =>
        response.writeHead(200, { "content-type": "text/html" }).end(text),
      );
    };
  await using one = await startPages({
    "/": meet("<main><p>The upload limit is 250 MB here.</p></main>"),
  });
  await using other = await startPages({
    "/": meet("<main><p>The upload limit is 90 MB there.</p></main>"),
  });
  const urls = [one.url, other.url];
  const state = await run({ prompt: "upload limit", urls, strictConstrainToURLs: true });
  expect(JSON.stringify(state.partial)).toMatch(/250 MB.*90 MB|90 MB.*250 MB/);
});

it("fails the run when the site cannot be read", async () => {
  const state = await run({ prompt: "p", urls: ["http://127.0.0.1:9/"], effort: "low" });
  expect(state).toMatchObject({ status: "failed", creditsUsed: 0 });
  expect(state.error).toContain("No page could be read");
});
