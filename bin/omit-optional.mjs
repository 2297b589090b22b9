// Runs after `npm install` of the package. With --omit=optional npm still installs what belongs to a package that bundles
// some of its dependencies, so everything optional is removed here; what the service always needs is in dist/. A clone has no
// dist/ and keeps its libraries.
import { existsSync, rmSync } from "node:fs";
import process from "node:process";

// oxlint-disable-next-line node/no-process-env -- the only way npm tells its options
const omitted = process.env.npm_config_omit ?? "";
const isPackage = existsSync(new URL("../dist", import.meta.url));
if (isPackage && omitted.split(/\s+/).includes("optional"))
  rmSync(new URL("../node_modules", import.meta.url), { recursive: true, force: true });
