// What ships: the libraries of package-lock.json that are not for development.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isShippedFile } from "../../scripts/build-package.ts";

type Locked = {
  readonly dev?: boolean;
  readonly license?: string;
};

const root = path.resolve(import.meta.dirname, "../..");
const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const shipped = Object.entries(packages).filter(([place, { dev }]) => place !== "" && dev !== true);

/** MPL-2.0 covers its own files only; OFL-1.1 is for fonts. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "(MPL-2.0 OR Apache-2.0)",
]);

it("every library that ships has a license that allows it, none of them GPL or AGPL", () => {
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped.filter(([, { license = "none" }]) => !ALLOWED.has(license));
  expect(others.map(([place, { license }]) => `${place}: ${license}`)).toEqual([]);
});

it("every font that ships has its license file, and the package keeps it", () => {
  const fonts = shipped.filter(([, { license }]) => license === "OFL-1.1");
  expect(fonts.length).toBeGreaterThan(5);
  for (const [place] of fonts) {
    const folder = path.join(root, place);
    if (!existsSync(folder)) continue;
    const own = readdirSync(folder).filter((name) => /^(?:licen[cs]e|ofl|copying)/i.test(name));
    // Some packages have none: docs/licenses, which ships too, has the text.
    const name = place.replace("node_modules/", "").replace("@", "").replace("/", "-");
    const files = [...own, path.join(root, "docs/licenses", `${name}.txt`)].filter(
      (file) => own.includes(file) || existsSync(file),
    );
    expect(files, place).not.toEqual([]);
  }
  expect(isShippedFile("@preact/signals", "LICENSE")).toBe(true);
});
