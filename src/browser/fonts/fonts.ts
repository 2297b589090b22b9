// What the browser draws text with: the system's fonts, and for the scripts that it lacks those that npm brings, so that a
// system without any (where Chromium ends as soon as it draws) still shows text.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { FONTS } from "../chromium/bundled-browser.ts";
import { provideScriptFonts } from "./script-fonts.ts";

const SYSTEM_FILE = "/etc/fonts/fonts.conf";
const SYSTEM_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts"];

export type FontOptions = {
  readonly executable: string;
  /** Ours to write to: fonts that are unpacked, their cache and the file. */
  readonly folder: string;
  /** More folders with fonts (QUARRY_FONT_DIRS). */
  readonly fontDirs?: readonly string[];
};

/** Writes a fontconfig file and gives its path; undefined where the browser does not ask fontconfig. */
export async function provideFonts(options: FontOptions): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  const { executable, folder, fontDirs = [] } = options;
  const beside = path.join(path.dirname(executable), FONTS);
  // Beside a browser that we unpacked ourselves, so that all who run it share them.
  const home = existsSync(beside) ? path.dirname(executable) : folder;
  const cache = path.join(home, "font-cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const known = [...SYSTEM_FOLDERS, ...fontDirs];
  const scripts = await provideScriptFonts(path.join(home, "script-fonts"), known);
  const own = [...fontDirs, ...(existsSync(beside) ? [beside] : []), ...scripts];
  // Not shared: servers differ in QUARRY_FONT_DIRS.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, "fonts.conf");
  const growing = `${file}.${randomUUID()}`;
  await writeFile(growing, fontConfiguration(own, cache, existsSync(SYSTEM_FILE)));
  await rename(growing, file);
  return file;
}

/** Families that stand in where a page names none that is there. */
const LAST_RESORTS = [
  ["sans-serif", "Open Sans"],
  ["serif", "Open Sans"],
  ["monospace", "DejaVu Sans Mono"],
  ["monospace", "Open Sans"],
] as const;

/** The letters of equal width have Arabic ones among them, which would be taken before those of the font for Arabic. */
const NO_ARABIC_IN_CODE =
  '  <match target="scan"><test name="family"><string>DejaVu Sans Mono</string></test><edit name="charset" mode="assign"><minus>' +
  "<name>charset</name><charset><range><int>0x600</int><int>0x6ff</int></range><range><int>0xfb50</int><int>0xfdff</int></range>" +
  "<range><int>0xfe70</int><int>0xfeff</int></range></charset></minus></edit></match>";

/** The fontconfig file (fonts-conf(5)): the system's rules where there are any, then our fonts as a last resort. */
export function fontConfiguration(
  own: readonly string[],
  cache: string,
  hasSystemFile: boolean,
): string {
  // What the system prefers goes before; without a word of its, ours must not lose against any font that knows the language.
  const binding = hasSystemFile ? "weak" : "same";
  const folders = [...(hasSystemFile ? [] : SYSTEM_FOLDERS), ...own];
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...(hasSystemFile ? [`  <include ignore_missing="yes">${SYSTEM_FILE}</include>`] : []),
    ...folders.map((name) => `  <dir>${escapeXml(name)}</dir>`),
    `  <cachedir>${escapeXml(cache)}</cachedir>`,
    ...LAST_RESORTS.map(
      ([family, resort]) =>
        `  <match target="pattern"><test name="family"><string>${family}</string></test>` +
        `<edit name="family" mode="append_last" binding="${binding}"><string>${resort}</string></edit></match>`,
    ),
    ...(hasSystemFile ? [] : [NO_ARABIC_IN_CODE]),
    "</fontconfig>",
  ];
  return `${lines.join("\n")}\n`;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
