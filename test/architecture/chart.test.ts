// The Helm chart as text; scripts/verify-chart.sh renders it and checks the objects.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "../../src/settings/settings.ts";

const chart = path.resolve(import.meta.dirname, "../../deploy/helm/quarry");
const values = parse(await readFile(path.join(chart, "values.yaml"), "utf8")) as object;
const names = (await readdir(path.join(chart, "templates"), { recursive: true })).filter((name) =>
  /\.(?:yaml|tpl|txt)$/.test(name),
);
const texts = await Promise.all(
  names.map(async (name) => await readFile(path.join(chart, "templates", name), "utf8")),
);
const templates = texts.join("\n");

function find(keys: readonly string[]): unknown {
  let at: unknown = values;
  for (const key of keys) at = (at as Record<string, unknown> | undefined)?.[key];
  return at;
}

it("every value that a template reads is in values.yaml", () => {
  const read = [...templates.matchAll(/\.Values\.(?<keys>[\w.]+)/g)].map(
    ({ groups }) => groups?.["keys"] ?? "",
  );
  expect(read.length).toBeGreaterThan(20);
  expect([...new Set(read)].filter((keys) => find(keys.split(".")) === undefined)).toEqual([]);
});

it("every setting of the chart exists", () => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  const named = templates.match(/\bQUARRY_[A-Z_]+|\bDATABASE_URL/g) ?? [];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it("the chart makes no secret and keeps private networks out of reach", () => {
  expect(templates).not.toMatch(/^kind: Secret/m);
  expect(find(["networkPolicy", "enabled"])).toBe(true);
  expect(find(["networkPolicy", "blockedRanges"])).toEqual(
    expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]),
  );
});

it("pods run without root, capabilities, new privileges and service accounts", () => {
  expect(find(["seccompProfile", "type"])).toBe("Localhost");
  for (const line of [
    "runAsNonRoot: true",
    "readOnlyRootFilesystem: true",
    "allowPrivilegeEscalation: false",
    "capabilities: { drop: [ALL] }",
    "automountServiceAccountToken: false",
  ])
    expect(templates.split(line).length - 1, line).toBe(2);
});
