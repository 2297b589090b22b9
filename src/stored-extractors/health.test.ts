import { describe, expect, it } from "vitest";
import { programSchema } from "../contract/extractors/program.ts";
import { addPage, describeHealth, NEW_HEALTH, type Health } from "./health.ts";

const program = programSchema.parse({
  version: 1,
  fields: {
    name: { type: "string", path: "h1", required: true },
    sale: { type: "string", path: "del" },
  },
});

type Found = { readonly name: boolean; readonly sale?: boolean; readonly violation?: boolean };

function pages(found: readonly Found[], match = 1, health: Health = NEW_HEALTH): Health {
  return found.reduce(
    (before, { name, sale = false, violation = false }) =>
      addPage(
        before,
        {
          match,
          counts: {
            name: { expected: 1, found: name ? 1 : 0, violations: violation ? 1 : 0 },
            sale: { expected: 1, found: sale ? 1 : 0, violations: 0 },
          },
        },
        program,
      ),
    health,
  );
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("the health of an extractor", () => {
  it("reports no drift while optional fields are missing", () => {
    expect(pages(times(20, { name: true })).reason).toBeUndefined();
  });

  it("reports drift when a required field is found on fewer than half of the pages", () => {
    const health = pages([...times(2, { name: true }), ...times(3, { name: false })]);
    expect(health.reason).toBe("name was found 2 of 5 times");
  });

  it("reports no drift with fewer than four pages", () => {
    expect(pages(times(3, { name: false })).reason).toBeUndefined();
  });

  it("reports drift when an optional field falls to less than a third of its usual rate", () => {
    const usual = pages(times(20, { name: true, sale: true }));
    const later = pages(times(16, { name: true }), 1, usual);
    expect(later.reason).toBe("sale was found 4 of 20 times");
  });

  it("reports drift when the texts of a field are of another type", () => {
    const health = pages([
      ...times(3, { name: true }),
      ...times(2, { name: false, violation: true }),
    ]);
    expect(health.reason).toBe("name held a text of another type 2 of 5 times");
  });

  it("excludes pages of other templates from drift until nearly all pages are of another template", () => {
    const mixed = pages(times(4, { name: false }), 0.1, pages(times(4, { name: true })));
    expect(mixed.reason).toBeUndefined();
    expect(describeHealth(mixed)).toMatchObject({ pages: 8, otherTemplates: 4 });
    expect(pages(times(5, { name: false }), 0.1).reason).toBe(
      "5 of the last 5 pages are of another template",
    );
  });

  it("ends the drift when the last twenty pages succeed", () => {
    const drifted = pages(times(5, { name: false }));
    expect(pages(times(20, { name: true }), 1, drifted).reason).toBeUndefined();
  });
});
