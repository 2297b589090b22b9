// Runs after `npm install` of the package: npm keeps the browser that travels inside the tarball even with --omit=optional.
import { rmSync } from "node:fs";
import process from "node:process";

// oxlint-disable-next-line node/no-process-env -- the only way npm tells its options
const omitted = process.env.npm_config_omit ?? "";
if (omitted.split(/\s+/).includes("optional"))
  rmSync(new URL("../node_modules/@sparticuz", import.meta.url), { recursive: true, force: true });
