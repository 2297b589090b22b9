import { describe, expect, it } from "vitest";
import { countTokens } from "../../ranking/model-tokens.ts";
import { writeFound } from "./write-found.ts";

describe("writeFound", () => {
  it("keeps the budget with long URLs and titles, and leaves out pages without room", async () => {
    const web = Array.from({ length: 5 }, (_, at) => ({
      url: `https://a.test/${at}?${"long-word-".repeat(80)}`,
      title: "Ferry times of the northern harbour ".repeat(40),
      markdown: `# Ferry\n\n${"The ferry leaves at nine from the pier. ".repeat(200)}`,
    }));
    for (const budget of [700, 2_000, 8_000]) {
      const { text, results } = await writeFound({ web }, "ferry", budget);
      expect(countTokens(text)).toBeLessThanOrEqual(budget);
      expect(results[0]?.content).toContain("The ferry leaves");
    }
    expect((await writeFound({ web }, "ferry", 700)).results.length).toBeLessThan(4);
    expect((await writeFound({ web }, "ferry", 8_000)).results).toHaveLength(5);
  });
});
