import type { FormatDeclaration } from "./format.ts";

/**
 * Differences from the version of the last scrape. The scrape compares after all other formats are
 * derived.
 */
export const changeTracking: FormatDeclaration<"changeTracking"> = {
  name: "changeTracking",
  needs: ["history"],
  isWithoutText: true,
  // Mode json compares the values of the json format.
  price: ({ modes }) => (modes.includes("json") ? "json" : undefined),
  cache: { isFresh: () => true },
};
