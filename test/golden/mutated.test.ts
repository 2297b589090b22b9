// Mutates the golden pages. A failure prints its seed: `npm run fuzz -- --seed N` continues from
// there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { examinePage } from "../examine-page.ts";
import { createRandom, mutatePage } from "../mutate-page.ts";

const ROUNDS = 1;
const SEED = 20_261_121;
const files = readdirSync(import.meta.dirname)
  .map((name) => path.join(import.meta.dirname, name, "page.html"))
  .filter((file) => existsSync(file));

describe("mutated golden pages", () => {
  it.each(files.map((file) => [path.basename(path.dirname(file)), file]))(
    "converts mutated copies of %s deterministically and without executable content",
    (name, file) => {
      const html = readFileSync(file, "utf8");
      for (let round = 0; round < ROUNDS; round++) {
        const seed = SEED + round;
        const page = mutatePage(html, createRandom(seed));
        expect(examinePage(page), `${name}, seed ${seed}`).toEqual([]);
      }
    },
  );
});
