// Prints the licenses of everything that ships, and fails when one is not allowed or a font or model lacks its license file.
//   node scripts/report-licenses.ts > release/LICENSES.md
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

type Locked = {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
/** The libraries of package-lock.json by their folder; that of this package is "". */
export type LockedPackages = Readonly<Record<string, Locked>>;
export type Component = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Its folder in package-lock.json; undefined for parts of another component. */
  readonly place?: string;
  /** Its license file, relative to the repository; undefined if it is not installed here or has none. */
  readonly file: string | undefined;
  readonly isInstalled: boolean;
};

/** MPL-2.0 covers its own files only; OFL-1.1 is for fonts. */
export const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
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

/** What archives inside @sparticuz/chromium hold beside its own code, which package-lock.json does not list. */
const INSIDE_CHROMIUM: readonly Component[] = [
  ["Chromium", "BSD-3-Clause"],
  ["SwiftShader", "Apache-2.0"],
  ["NSS and NSPR", "MPL-2.0"],
  ["expat", "MIT"],
  ["Open Sans (font)", "OFL-1.1", "docs/licenses/open-sans.txt"],
].map(([name = "", license = "", file]) => ({
  name: `${name}, in @sparticuz/chromium`,
  version: "",
  license,
  file,
  isInstalled: true,
}));

const LICENSE_FILE = /^(?:licen[cs]e|ofl|copying|notice)/i;
/** Fonts and trained models: their files are data, so their license must travel with them. */
const FONT_OR_MODEL = /^@(?:fontsource|fontsource-variable|librescore|tesseract\.js-data)\/|font/;

export function readLockedPackages(): LockedPackages {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
    packages: LockedPackages;
  };
  return packages;
}

/** Every library of package-lock.json that is not for development, and what archives in them hold. */
export function listComponents(): Component[] {
  const libraries = Object.entries(readLockedPackages())
    .filter(([place, { dev }]) => place !== "" && dev !== true)
    .map(([place, { version = "", license = "none" }]) => {
      const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
      const isInstalled = existsSync(path.join(ROOT, place));
      return { name, version, license, place, isInstalled, file: findLicense(place, name) };
    });
  return [...libraries, ...INSIDE_CHROMIUM];
}

function findLicense(place: string, name: string): string | undefined {
  const folder = path.join(ROOT, place);
  const own = existsSync(folder) ? readdirSync(folder).find((file) => LICENSE_FILE.test(file)) : "";
  if (own !== undefined && own !== "") return `${place}/${own}`;
  const kept = `docs/licenses/${name.replace("@", "").replace("/", "-")}.txt`;
  return existsSync(path.join(ROOT, kept)) ? kept : undefined;
}

/** One sentence for each component that may not ship as it is. */
export function findProblems(components: readonly Component[]): string[] {
  return components.flatMap(({ name, license, file, isInstalled }) => [
    ...(ALLOWED_LICENSES.has(license) ? [] : [`${name}: the license ${license} is not allowed.`]),
    ...(isInstalled && FONT_OR_MODEL.test(name) && file === undefined
      ? [`${name}: a font or model without its license file.`]
      : []),
  ]);
}

function main(): void {
  const components = listComponents();
  const problems = findProblems(components);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  const counts = Object.entries(Object.groupBy(components, ({ license }) => license))
    .map(([license, of = []]) => `| ${license} | ${of.length} |`)
    .toSorted();
  const rows = components.map(
    ({ name, version, license, file, isInstalled }) =>
      `| ${name} | ${version} | ${license} | ${file ?? (isInstalled ? "in package.json only" : "other platform")} |`,
  );
  const lines = [
    "# Licenses of what ships",
    "",
    "| license | components |",
    "|---|---|",
    ...counts,
  ];
  lines.push("", "| component | version | license | file |", "|---|---|---|---|", ...rows);
  process.stdout.write(`${lines.join("\n")}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main();
