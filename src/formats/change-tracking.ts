import type { FormatDeclaration } from "./format.ts";

/**
 * Differences from the version of the last scrape. The scrape compares when all other formats are
 * made.
 */
export const changeTracking: FormatDeclaration<"changeTracking"> = {
  name: "changeTracking",
  needs: ["history"],
  // The values that mode json compares are those of the json format.
  price: ({ modes }) => (modes.includes("json") ? "json" : undefined),
  cache: { isFresh: () => true },
};
