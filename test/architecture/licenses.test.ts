// What ships: the libraries of package-lock.json that are not for development.
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildSbom } from "../../scripts/build-sbom.ts";
import { isShippedFile } from "../../scripts/build-package.ts";
import { findProblems, listComponents } from "../../scripts/report-licenses.ts";

const root = path.resolve(import.meta.dirname, "../..");
const components = listComponents();

it("every library that ships has a license that allows it, none of them GPL or AGPL", () => {
  expect(components.length).toBeGreaterThan(100);
  expect(findProblems(components)).toEqual([]);
});

it("every font and model that ships has its license file, and the package keeps it", () => {
  const data = components.filter(({ name }) => /font|tesseract/.test(name));
  expect(data.length).toBeGreaterThan(6);
  for (const { name, file, isInstalled } of data) if (isInstalled) expect(file, name).toBeDefined();
  const chromium = path.join(root, "node_modules/@sparticuz/chromium/bin/fonts.tar.br");
  const names = brotliDecompressSync(readFileSync(chromium))
    .toString("latin1")
    .match(/[\w-]+\.ttf/g);
  expect(new Set(names?.map((name) => name.split("-")[0] ?? ""))).toEqual(new Set(["OpenSans"]));
  expect(data.map(({ file }) => file)).toContain("docs/licenses/open-sans.txt");
  expect(isShippedFile("@preact/signals", "LICENSE")).toBe(true);
});

it("reports a license that is not allowed and a font without its license file", () => {
  const component = { version: "1.0.0", file: undefined, isInstalled: true };
  const problems = findProblems([
    { ...component, name: "viral", license: "AGPL-3.0" },
    { ...component, name: "@fontsource/plain", license: "OFL-1.1" },
    { ...component, name: "plain", license: "MIT" },
  ]);
  expect(problems).toEqual([
    "viral: the license AGPL-3.0 is not allowed.",
    "@fontsource/plain: a font or model without its license file.",
  ]);
});

it("the bill of materials reaches every component from the direct dependencies", () => {
  const { components, dependencies } = buildSbom();
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const dependsOn = new Map(dependencies.map(({ ref, dependsOn: on }) => [ref, on]));
  const direct = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    name: string;
    dependencies: Record<string, string>;
  };
  expect(dependsOn.get(direct.name)).toEqual(
    expect.arrayContaining(Object.keys(direct.dependencies).map((name) => `node_modules/${name}`)),
  );
  const reached = new Set([direct.name]);
  for (const ref of reached) for (const next of dependsOn.get(ref) ?? []) reached.add(next);
  // Parts of Chromium's archive are no packages.
  const packages = components.filter(({ purl }) => purl !== undefined);
  expect(packages.length).toBeGreaterThan(200);
  expect(packages.map((one) => one["bom-ref"]).filter((ref) => !reached.has(ref))).toEqual([]);
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["zod", "pg", "ajv"]));
});
