import { describe, expect, it } from "vitest";
import { describeUpdate } from "./llms-txt.ts";

const SHORT =
  "# Boats\n\n## Sails\n\n- [Jib](https://a.test/jib): The foresail.\n- [Spinnaker](https://a.test/spi)\n";
const writeFull = (jib: string): string =>
  `# Jib\n\nSource: <https://a.test/jib>\n\n${jib}\n\n# Spinnaker\n\nSource: <https://a.test/spi>\n\nLarge.\n`;
const FILES = { short: SHORT, full: writeFull("Small.") };

describe("describeUpdate", () => {
  it.each([
    [undefined, FILES, "llms.txt is new."],
    [FILES, FILES, "llms.txt and llms-full.txt are unchanged."],
    [
      FILES,
      { short: SHORT, full: writeFull("Very small.") },
      "llms-full.txt is updated: 0 pages are new, 1 changed, 0 gone.",
    ],
    [
      { short: SHORT, full: "" },
      {
        short:
          "# Boats\n\n## Sails\n\n- [Jib](https://a.test/jib): The small foresail.\n- [Main](https://a.test/main)\n- [Mizzen](https://a.test/mizzen)\n",
        full: "",
      },
      "llms.txt is updated: 2 pages are new, 1 changed, 1 gone.",
    ],
  ])("describeUpdate counts new, changed and gone pages (%#)", (before, after, text) => {
    expect(describeUpdate(before, after)).toBe(text);
  });
});
