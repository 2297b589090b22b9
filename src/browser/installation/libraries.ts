// Finds shared libraries that the system lacks for a browser, and provides them from the folder
// beside the browser.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { LIBRARIES } from "./bundled-browser.ts";

const run = promisify(execFile);

/** Libraries that only work together: if one is missing, all are taken from beside the browser. */
const NSS = /^lib(?:nspr4|plc4|plds4|nss3|nssutil3|softokn3|freebl3|freeblpriv3|smime3|ssl3)\.so/;

/**
 * Returns the names of libraries that the loader does not find for `executable`, also searching
 * `folder`. Uses the loader itself (ld.so(8), LD_TRACE_LOADED_OBJECTS), which lists them without
 * running anything.
 */
export async function findMissingLibraries(
  executable: string,
  folder?: string,
): Promise<readonly string[]> {
  const env = {
    LD_TRACE_LOADED_OBJECTS: "1",
    ...(folder === undefined ? {} : { LD_LIBRARY_PATH: folder }),
  };
  const output = await run(executable, [], { env, timeout: 20_000 }).then(
    ({ stdout }) => stdout,
    (error: unknown) =>
      typeof error === "object" && error !== null && "stdout" in error ? String(error.stdout) : "",
  );
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, name = ""]) => name);
}

/**
 * Returns a folder for LD_LIBRARY_PATH with only the missing libraries, or undefined if none are
 * missing. The system's own libraries take precedence, because they receive updates.
 */
export async function provideLibraries(
  executable: string,
  find: typeof findMissingLibraries = findMissingLibraries,
): Promise<string | undefined> {
  const beside = path.join(path.dirname(executable), LIBRARIES, "lib");
  if (process.platform !== "linux" || !existsSync(beside)) return undefined;
  const missing = await find(executable);
  if (missing.length === 0) return undefined;
  const needsNss = missing.some((name) => NSS.test(name));
  const names = readdirSync(beside).filter(
    (name) => missing.includes(name) || (needsNss && (NSS.test(name) || name.endsWith(".chk"))),
  );
  const folder = path.join(path.dirname(executable), `${LIBRARIES}-needed-${buildCacheKey(names)}`);
  if (existsSync(folder)) return folder;
  // Unique, because the start of the server and a request may ask at the same time.
  const growing = `${folder}.${process.pid}.${randomUUID()}`;
  await mkdir(growing, { mode: 0o700 });
  for (const name of names) await symlink(path.join(beside, name), path.join(growing, name));
  await rename(growing, folder).catch(async (error: unknown) => {
    await rm(growing, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** The two common cases, and any other, distinguished by name. */
const buildCacheKey = (names: readonly string[]): string =>
  names
    .filter((name) => /^lib(?:nss3|expat)/.test(name))
    .map((name) => name.replace(/^lib|\.so.*$/g, ""))
    .join("-") || String(names.length);
