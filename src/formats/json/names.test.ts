import { expect, test } from "vitest";
import { draftOf } from "../../../test/understanding/derive-page.ts";
import { likeness, nameAmong, nameOf } from "./names.ts";

const text = { type: "string" };
const markup = (more: string): string =>
  `<title>Mara Lind | University</title><h1>Mara Lind</h1><dl>${more}<dt>Email</dt><dd>mara@uni.example</dd></dl>`;

test.each([
  ["a position", "<dt>Position</dt><dd>Lecturer</dd>", { title: "Lecturer" }],
  ["nothing of the kind", "", {}],
])("the title of somebody who can be reached is what they are: %s", (_name, said, title) => {
  const properties = { name: text, title: text, email: text };
  const { value } = draftOf(markup(said), { type: "object", properties });
  expect(value).toEqual({ name: "Mara Lind", ...title, email: "mara@uni.example" });
});

test("of anything else it is what it is called", () => {
  const properties = { title: text, email: text };
  const { value } = draftOf(markup(""), { type: "object", properties });
  expect(value).toMatchObject({ title: "Mara Lind" });
  expect(nameAmong("title", ["name", "price"])).toEqual(nameOf("title"));
  expect(likeness(nameAmong("title", ["name", "phone"]), nameOf("Title"))).toBe(1);
});
