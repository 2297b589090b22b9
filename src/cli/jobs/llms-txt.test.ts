import { describe, expect, it } from "vitest";
import { describeUpdate } from "./llms-txt.ts";

const FILE =
  "# Boats\n\n## Sails\n\n- [Jib](https://a.test/jib): The foresail.\n- [Spinnaker](https://a.test/spi)\n";

describe("describeUpdate", () => {
  it.each([
    [undefined, FILE, "llms.txt is new."],
    [FILE, FILE, "llms.txt is unchanged."],
    [
      FILE,
      "# Boats\n\n## Sails\n\n- [Jib](https://a.test/jib): The small foresail.\n- [Main](https://a.test/main)\n- [Mizzen](https://a.test/mizzen)\n",
      "llms.txt is updated: 2 pages are new, 1 changed, 1 gone.",
    ],
  ])("describeUpdate counts new, changed and gone pages (%#)", (before, after, text) => {
    expect(describeUpdate(before, after)).toBe(text);
  });
});
