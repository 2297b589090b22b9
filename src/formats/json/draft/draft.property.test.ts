import fc from "fast-check";
import { expect, test } from "vitest";
import { derivePage } from "../../../../test/understanding/derive-page.ts";
import { foldText, listLeaves } from "../evidence/check-evidence.ts";
import { validate } from "../../../runtime/json-schema/validate.ts";

const word = fc.constantFrom(
  "name",
  "price",
  "author",
  "image",
  "date",
  "tags",
  "rating",
  "Preis",
  "x",
  "12",
  "4,5 kg",
  "$3.10",
  "2027-01-02",
  "PT1H",
  "https://a.example/",
  "&amp;",
  "<b>bold</b>",
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("thing"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  thing: fc.dictionary(
    fc.constantFrom(
      "@type",
      "@id",
      "@graph",
      "name",
      "offers",
      "price",
      "author",
      "review",
      "image",
      "keywords",
      "x",
    ),
    tie("value"),
    { maxKeys: 5 },
  ),
})).value;
const part = fc.oneof(
  data.map(
    (value) =>
      `<script type="application/ld+json">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`,
  ),
  data.map(
    (value) =>
      `<script>window.__STATE__ = ${JSON.stringify(value).replaceAll("<", "\\u003c")};</script>`,
  ),
  fc.tuple(text, text).map(([label, value]) => `<dl><dt>${label}</dt><dd>${value}</dd></dl>`),
  fc.tuple(text, text).map(([label, value]) => `<p><b>${label}:</b> ${value}</p>`),
  fc.tuple(text, text).map(([mark, value]) => `<div class="${mark}" itemprop="${mark}">${value}`),
  fc
    .array(text, { minLength: 3, maxLength: 4 })
    .map(
      (items) =>
        `<ul>${items.map((item) => `<li class="item"><h3>${item}</h3><span class="price">${item}</span>`).join("")}</ul>`,
    ),
  fc
    .array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 3 })
    .map(
      (rows) =>
        `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}`).join("")}</table>`,
    ),
);
const scalar = fc.constantFrom<object>(
  { type: "string" },
  { type: "number" },
  { type: "integer", minimum: 2 },
  { type: "boolean" },
  { type: "string", format: "uri" },
  { type: "string", format: "date" },
  { type: ["string", "null"], maxLength: 8 },
  { enum: ["name", "bold", 12] },
);
const schema = fc.letrec<{ any: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    scalar,
    tie("any").map((items) => ({ type: "array", items })),
    objectOf(tie("any")),
  ),
})).any;
function objectOf(values: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const names = fc.constantFrom(
    "name",
    "price",
    "author_name",
    "images",
    "reviews",
    "tags",
    "published_at",
    "x",
  );
  return fc
    .tuple(fc.dictionary(names, values, { minKeys: 1, maxKeys: 4 }), fc.boolean())
    .map(([properties, strict]) => ({
      type: "object",
      properties,
      additionalProperties: false,
      required: strict ? Object.keys(properties).slice(0, 1) : [],
    }));
}

let filled = 0;

test("returns only values that fit the schema and are on the page, for any page and schema", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 4, maxLength: 10 }),
      objectOf(schema),
      (parts, wanted) => {
        const html = parts.join("\n");
        const { draft } = derivePage(html, [
          {
            type: "json",
            schema: wanted as Record<string, unknown>,
            checkPromptInjection: false,
            evidence: true,
          },
        ]);
        if (draft?.value === undefined) return;
        filled += 1;
        const faults = validate(wanted as Record<string, unknown>, draft.value);
        // Neither the page nor most rows of a list need have all that is required.
        const mayLack = /^$|\/\d+$/;
        expect(
          faults.filter(
            ({ pointer, message }) => !mayLack.test(pointer) || !message.startsWith("lacks "),
          ),
        ).toEqual([]);
        const page = foldText(html);
        for (const { pointer, value } of listLeaves(draft.value)) {
          expect(Object.keys(draft.evidence)).toContain(pointer);
          const evidence = foldText(draft.evidence[pointer]?.text ?? "").split(" ")[0] ?? "";
          if (typeof value === "string" && draft.evidence[pointer]?.source !== "metadata")
            expect(page).toContain(evidence);
        }
      },
    ),
    { numRuns: 400 },
  );
  // Guards against pages from which nothing is extracted, which would prove nothing.
  expect(filled).toBeGreaterThan(80);
});
