import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");
const namesIn = (text: string): string[] =>
  text.match(/\b(?:QUARRY|AWS)_[A-Z_]+\b|DATABASE_URL/g) ?? [];

it.each(["compose.yaml", "Dockerfile", "docs/scaling.md", "README.md"])(
  "every setting that %s names is one",
  async (file) => {
    const known = new Set(namesIn(await read("docs/reference/configuration.md")));
    const named = [...new Set(namesIn(await read(file)))];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  },
);

it("the image holds what the program imports at run time, and no tests", async () => {
  const ignored = await read(".dockerignore");
  const copied = [...(await read("Dockerfile")).matchAll(/^COPY (\w+) \1$/gm)].map(
    (match) => match[1],
  );
  expect(copied).toEqual(["bin", "src", "client"]);
  for (const folder of copied) expect(ignored).toContain(`!${folder}\n`);
  expect(ignored).toContain("**/*.test.ts");
});
