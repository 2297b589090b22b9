// Prints the software bill of materials of what ships, as CycloneDX 1.6. `npm sbom --omit=dev` leaves out libraries that a
// development tool uses too.
//   node scripts/build-sbom.ts > release/sbom.cdx.json
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  listComponents,
  readLockedPackages,
  type Component,
  type LockedPackages,
} from "./report-licenses.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Package URL of an npm package: https://github.com/package-url/purl-spec. */
const buildPurl = (name: string, version: string): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The folder of the library that `place` loads by `name`, as Node looks it up; undefined if it is not in the lock file. */
function resolveDependency(
  packages: LockedPackages,
  place: string,
  name: string,
): string | undefined {
  for (
    let from = place;
    ;
    from = from.slice(0, Math.max(0, from.lastIndexOf("node_modules/") - 1))
  ) {
    const found = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
    if (packages[found] !== undefined) return found;
    if (from === "") return undefined;
  }
}

const toLicense = (license: string): object =>
  license.includes(" ")
    ? { expression: license.replace(/^\((.*)\)$/, "$1") }
    : { license: { id: license } };

/** "sha512-…", in base64, as hash. */
function toHash(integrity: string): object {
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  return {
    alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
    content: Buffer.from(digest, "base64").toString("hex"),
  };
}

export type Sbom = {
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly name: string;
    readonly purl?: string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

export function buildSbom(): Sbom & Readonly<Record<string, unknown>> {
  const packages = readLockedPackages();
  const shipped = listComponents();
  const places = new Set(shipped.map(({ place }) => place));
  const own = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Component;
  const toRef = ({ place, name }: Component): string => place ?? name;
  const dependsOn = (place: string): string[] => {
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    const found = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) =>
      resolveDependency(packages, place, name),
    );
    return [...new Set(found)].filter((one) => one !== undefined && places.has(one)) as string[];
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: {
        "bom-ref": own.name,
        type: "application",
        name: own.name,
        version: own.version,
        purl: buildPurl(own.name, own.version),
        licenses: [toLicense(own.license)],
      },
    },
    components: shipped.map((component) => {
      const { name, version, license, place } = component;
      const locked = packages[place ?? ""];
      return {
        "bom-ref": toRef(component),
        type: "library",
        name,
        ...(version === "" ? {} : { version }),
        scope: locked?.optional === true ? "optional" : "required",
        licenses: [toLicense(license)],
        ...(place === undefined ? {} : { purl: buildPurl(name, version) }),
        ...(place === undefined || locked?.integrity === undefined
          ? {}
          : { hashes: [toHash(locked.integrity)] }),
      };
    }),
    dependencies: [
      { ref: own.name, dependsOn: dependsOn("") },
      ...shipped.map((component) => ({
        ref: toRef(component),
        dependsOn: component.place === undefined ? [] : dependsOn(component.place),
      })),
    ],
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${JSON.stringify(buildSbom(), null, 2)}\n`);
