import { expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import { scoreSimilarity, parseNameInContext, parseName } from "./names.ts";

const text = { type: "string" };
const markup = (more: string): string =>
  `<title>Mara Lind | University</title><h1>Mara Lind</h1><dl>${more}<dt>Email</dt><dd>mara@uni.example</dd></dl>`;

test.each([
  ["a position", "<dt>Position</dt><dd>Lecturer</dd>", { title: "Lecturer" }],
  ["nothing of the kind", "", {}],
])("reads the title of a contact as a job title: %s", (_name, said, title) => {
  const properties = { name: text, title: text, email: text };
  const { value } = draftPage(markup(said), { type: "object", properties });
  expect(value).toEqual({ name: "Mara Lind", ...title, email: "mara@uni.example" });
});

test("reads the title of anything else as its name", () => {
  const properties = { title: text, email: text };
  const { value } = draftPage(markup(""), { type: "object", properties });
  expect(value).toMatchObject({ title: "Mara Lind" });
  expect(parseNameInContext("title", ["name", "price"])).toEqual(parseName("title"));
  expect(scoreSimilarity(parseNameInContext("title", ["name", "phone"]), parseName("Title"))).toBe(
    1,
  );
});
