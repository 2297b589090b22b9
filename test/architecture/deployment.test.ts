import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { loadConfig } from "../../src/config.ts";
import { SETTINGS } from "../../src/settings/settings.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");
const namesIn = (text: string): string[] =>
  text.match(/\b(?:QUARRY|AWS)_[A-Z_]+\b|DATABASE_URL/g) ?? [];

const SETTING_NAMES = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
const documents = (await readdir(path.join(root, "docs"), { recursive: true }))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

it.each(["compose.yaml", "Dockerfile", "README.md", ".env.example", ...documents])(
  "every setting that %s names exists",
  async (file) => {
    const named = [...new Set(namesIn(await read(file)))];
    expect(named.filter((name) => !SETTING_NAMES.has(name))).toEqual([]);
  },
);

it("compose.yaml is valid and gives each service the settings of its role", async () => {
  const text = await read("compose.yaml");
  expect(parseDocument(text, { merge: true }).errors).toEqual([]);
  const { services, volumes } = parse(text, { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; depends_on?: object; volumes?: string[] }
    >;
    volumes: object;
  };
  const names = Object.keys(services);
  for (const { depends_on: needs = {}, volumes: mounted = [] } of Object.values(services)) {
    expect(names).toEqual(
      expect.arrayContaining(Array.isArray(needs) ? needs : Object.keys(needs)),
    );
    for (const mount of mounted) expect(Object.keys(volumes)).toContain(mount.split(":", 1)[0]);
  }
  const address = /\/\/(?:[^@/]*@)?(\w+):\d+/g;
  for (const role of ["api", "worker"]) {
    const environment = services[role]?.environment ?? {};
    expect(environment["QUARRY_ROLE"]).toBe(role);
    const hosts = [...Object.values(environment).join(" ").matchAll(address)].map(
      ([, host]) => host,
    );
    expect(new Set(hosts)).toEqual(new Set(["blobs", "postgres"]));
    const config = loadConfig({}, { ...environment, QUARRY_API_KEY: "a-key-of-the-operator" });
    expect(config.role).toBe(role);
  }
});

it("the image has what the program needs at run time and no tests", async () => {
  const ignored = await read(".dockerignore");
  const copied = [...(await read("Dockerfile")).matchAll(/^COPY (\w+) \1$/gm)].map(
    (match) => match[1],
  );
  expect(copied).toEqual(["bin", "src", "client", "docs"]);
  for (const folder of copied) expect(ignored).toContain(`!${folder}\n`);
  expect(ignored).toContain("**/*.test.ts");
});
