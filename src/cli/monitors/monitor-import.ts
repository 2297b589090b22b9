// Reads lists of other tools as requests for monitors: backups of changedetection.io, the job list of
// urlwatch (YAML), and plain lists of URLs. Entries that would watch something else than before are
// left out, with the reason.
import { RequestError } from "../../errors.ts";
import {
  asText,
  collect,
  createDraft,
  toRequest,
  Unsupported,
  type ImportDefaults,
  type ImportedList,
} from "./import-draft.ts";
import { parseJobs } from "./parse-jobs.ts";
import { parseWatches } from "./parse-watches.ts";

const startsWithUrl = (line: string): boolean => /^https?:\/\/\S+/i.test(line);

/** Throws BAD_REQUEST for a file of none of the formats. */
export function parseMonitorList(text: string, defaults: ImportDefaults): ImportedList {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("PK"))
    throw new RequestError("BAD_REQUEST", "The file is a ZIP: unpack it and import its folder.");
  if (trimmed.startsWith("{")) return parseWatches(trimmed, defaults);
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (urls.filter(startsWithUrl).length > urls.length / 2)
    return collect(
      urls.map((line) => ({ line })),
      ({ line }) => {
        const text = asText(line);
        if (!startsWithUrl(text)) throw new Unsupported("It is not a web address.");
        return toRequest({ url: text.split(/\s/, 1)[0] }, createDraft(), defaults);
      },
    );
  return parseJobs(trimmed, defaults);
}
