// Reads the folder of an unpacked backup of changedetection.io as one list: settings in
// changedetection.json (older versions: everything in url-watches.json), and a folder per watch or
// group of watches.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";

type Entry = Record<string, unknown>;

async function readEntry(file: string): Promise<Entry | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const entry: unknown = JSON.parse(text);
    if (isObject(entry)) return entry;
  } catch {
    // Reported below.
  }
  throw new RequestError("BAD_REQUEST", `${file} is not valid JSON.`);
}

const asEntry = (value: unknown): Entry => (isObject(value) ? { ...value } : {});

/** Throws BAD_REQUEST for a folder without watches. */
export async function readBackup(folder: string): Promise<string> {
  const list =
    (await readEntry(path.join(folder, "changedetection.json"))) ??
    (await readEntry(path.join(folder, "url-watches.json")));
  const settings = asEntry(list?.["settings"]);
  const application = asEntry(settings["application"]);
  const tags = asEntry(application["tags"]);
  const watching = asEntry(list?.["watching"]);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const watch = await readEntry(path.join(folder, entry.name, "watch.json"));
    if (watch !== undefined) watching[entry.name] = watch;
    const tag = await readEntry(path.join(folder, entry.name, "tag.json"));
    if (tag !== undefined) tags[entry.name] = tag;
  }
  if (Object.keys(watching).length === 0)
    throw new RequestError(
      "BAD_REQUEST",
      `${folder} has no watches: choose the folder of an unpacked changedetection.io backup.`,
    );
  return JSON.stringify({
    watching,
    settings: { ...settings, application: { ...application, tags } },
  });
}
