// Trained data for text recognition: optional packages, unpacked once into the data folder.
import { createRequire } from "node:module";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { OcrOptions } from "./pdf/ocr/recognizer.ts";

export type OcrData = {
  /**
   * Prepares the data of these languages (BCP 47 tags); `missing` lists those without a package.
   * Never rejects.
   */
  prepare(languages: readonly string[]): Promise<PreparedOcr>;
};

export type PreparedOcr = {
  /** Undefined if there is no data at all. */
  readonly ocr: OcrOptions | undefined;
  readonly missing: readonly string[];
};

/** Tesseract names of languages whose ISO 639-2 code does not start with the tag's two letters. */
const NAMES: Readonly<Record<string, string>> = {
  ar: "ara",
  bg: "bul",
  ca: "cat",
  cs: "ces",
  da: "dan",
  de: "deu",
  el: "ell",
  en: "eng",
  es: "spa",
  et: "est",
  fa: "fas",
  fi: "fin",
  fr: "fra",
  he: "heb",
  hi: "hin",
  hr: "hrv",
  hu: "hun",
  id: "ind",
  it: "ita",
  ja: "jpn",
  ko: "kor",
  lt: "lit",
  lv: "lav",
  nb: "nor",
  nl: "nld",
  no: "nor",
  pl: "pol",
  pt: "por",
  ro: "ron",
  ru: "rus",
  sk: "slk",
  sl: "slv",
  sr: "srp",
  sv: "swe",
  th: "tha",
  tr: "tur",
  uk: "ukr",
  vi: "vie",
};

/** Returns Tesseract's name of a language tag, including "zh-TW", or undefined if unknown. */
export function findTesseractName(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  if (/^zh\b/.test(lower)) return /tw|hk|hant/.test(lower) ? "chi_tra" : "chi_sim";
  if (/^[a-z]{3}(?:_[a-z]{3,4})?$/.test(lower)) return lower;
  return NAMES[lower.slice(0, 2)];
}

const MAX_LANGUAGES = 4;

/** `folder` stores the unpacked data; `always` lists the languages to try for every file. */
export function createOcrData(folder: string, always: readonly string[]): OcrData {
  const ready = new Map<string, Promise<boolean>>();
  const prepareOne = (name: string): Promise<boolean> => {
    const known = ready.get(name);
    if (known !== undefined) return known;
    const unpacking = unpack(folder, name).catch(() => false);
    ready.set(name, unpacking);
    // Not cached, because a missing package may be installed later, and callers may send any name.
    void unpacking.then((isThere) => isThere || ready.delete(name));
    return unpacking;
  };
  return {
    async prepare(languages) {
      const asked = [
        ...new Set([...languages.map((tag) => tag.split(";")[0]?.trim() ?? ""), ...always]),
      ];
      const found: string[] = [];
      const missing: string[] = [];
      for (const tag of asked.filter((each) => each !== "").slice(0, MAX_LANGUAGES)) {
        const name = findTesseractName(tag);
        if (name !== undefined && (await prepareOne(name))) found.push(name);
        else missing.push(tag);
      }
      const names = [...new Set(found)];
      return {
        ocr: names.length === 0 ? undefined : { folder, languages: names.join("+") },
        missing: [...new Set(missing)],
      };
    },
  };
}

const require = createRequire(import.meta.url);

/** True if the data of a language is in the folder now. */
async function unpack(folder: string, name: string): Promise<boolean> {
  if (!/^[a-z]{3}(?:_[a-z]{3,4})?$/.test(name)) return false;
  const target = join(folder, `${name}.traineddata`);
  if (await exists(target)) return true;
  const packed = await findPacked(name);
  if (packed === undefined) return false;
  const bytes = await promisify(gunzip)(await readFile(packed));
  await mkdir(folder, { recursive: true });
  // Another process may unpack at the same time; the last rename wins with the same bytes.
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, bytes);
  await rename(part, target);
  return true;
}

async function findPacked(name: string): Promise<string | undefined> {
  try {
    const root = dirname(require.resolve(`@tesseract.js-data/${name}/package.json`));
    for (const variant of ["4.0.0_best_int", "4.0.0", "4.0.0_best"]) {
      const path = join(root, variant, `${name}.traineddata.gz`);
      if (await exists(path)) return path;
    }
  } catch {
    return undefined; // no package for this language
  }
  return undefined;
}

const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );
