import { describe, expect, it } from "vitest";
import { draftPage } from "../../test/understanding/derive-page.ts";

const text = { type: "string" };
const SCHEMA = {
  type: "object",
  properties: {
    staff: {
      type: "array",
      items: { type: "object", properties: { name: text, role: text, email: text } },
    },
  },
};
const person = (name: string, role: string): string =>
  `<li class="person"><h3>${name}</h3><p class="role">${role}</p><a href="mailto:${name.split(" ", 1)[0]?.toLowerCase()}@orn.example">${name.split(" ", 1)[0]?.toLowerCase()}@orn.example</a></li>`;
const department = (title: string, ...people: readonly string[]): string =>
  `<section class="department"><h2>${title}</h2><ul class="people">${people.join("")}</ul></section>`;
const namesOf = (body: string): unknown =>
  (
    (draftPage(`<main><h1>Staff</h1>${body}</main>`, SCHEMA).value as
      | { readonly staff?: readonly { readonly name?: string }[] }
      | undefined) ?? {}
  ).staff?.map(({ name }) => name);

const OFFICE = department("Office", person("Ada Holm", "Clerk"), person("Jon Lind", "Clerk"));
const LAB = department("Laboratory", person("Mara Voss", "Chemist"), person("Ole Krag", "Chemist"));

describe("lists of one record", () => {
  it("joins lists of several records below headings of their own", () => {
    const heading = '<ul class="people"><h2>Archive</h2>';
    const grouped = [OFFICE, LAB, department("Archive", person("Una Berg", "Archivist"))]
      .join("")
      .replaceAll(/<h2>([^<]*)<\/h2><ul class="people">/g, '<ul class="people"><h2>$1</h2>');
    expect(grouped).toContain(heading);
    expect(namesOf(grouped)).toEqual(["Ada Holm", "Jon Lind", "Mara Voss", "Ole Krag", "Una Berg"]);
  });

  it("joins lists when the heading is before the list", () => {
    expect(namesOf(OFFICE + LAB + department("Archive", person("Una Berg", "Archivist")))).toEqual([
      "Ada Holm",
      "Jon Lind",
      "Mara Voss",
      "Ole Krag",
      "Una Berg",
    ]);
  });

  it("keeps the place of joined lists in the document", () => {
    const grouped = [OFFICE, department("Archive", person("Una Berg", "Archivist")), LAB]
      .join("")
      .replaceAll(/<h2>([^<]*)<\/h2><ul class="people">/g, '<ul class="people"><h2>$1</h2>');
    expect(namesOf(grouped)).toEqual(["Ada Holm", "Jon Lind", "Una Berg", "Mara Voss", "Ole Krag"]);
  });

  it.each([
    ["a note", '<li class="note"><p>The archive is closed.</p></li>'],
    ["a hidden record", `<div hidden>${person("Una Berg", "Archivist")}</div>`],
  ])("does not join %s as a list of one record", (_, record) => {
    const grouped = [OFFICE, LAB, department("Archive", record)]
      .join("")
      .replaceAll(/<h2>([^<]*)<\/h2><ul class="people">/g, '<ul class="people"><h2>$1</h2>');
    expect(namesOf(grouped)).toEqual(["Ada Holm", "Jon Lind", "Mara Voss", "Ole Krag"]);
  });

  it("does not join lists with different styles", () => {
    const other = department("Visitors", person("Una Berg", "Guest")).replace(
      'class="people"',
      'class="visitors"',
    );
    expect(namesOf(OFFICE + LAB + other)).not.toContain("Una Berg");
  });
});
