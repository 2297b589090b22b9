// Reads lists of other tools as requests for monitors: backups of changedetection.io, the job list of
// urlwatch (YAML), and plain lists of URLs. Entries that would watch something else than before are
// left out, with the reason.
import { RequestError } from "../../errors.ts";
import {
  collect,
  createDraft,
  toRequest,
  type ImportDefaults,
  type ImportedList,
} from "./import-draft.ts";
import { parseJobs } from "./parse-jobs.ts";
import { parseWatches } from "./parse-watches.ts";

/** Throws BAD_REQUEST for a file of none of the formats. */
export function parseMonitorList(text: string, defaults: ImportDefaults): ImportedList {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("PK"))
    throw new RequestError("BAD_REQUEST", "The file is a ZIP: unpack it and import its folder.");
  if (trimmed.startsWith("{")) return parseWatches(trimmed, defaults);
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (urls.length > 0 && urls.every((line) => /^https?:\/\/\S+/i.test(line)))
    return collect(
      urls.map((line) => ({ url: line.split(/\s/, 1)[0] })),
      (entry) => toRequest(entry, createDraft(), defaults),
    );
  return parseJobs(trimmed, defaults);
}
