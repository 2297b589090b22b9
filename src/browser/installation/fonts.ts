// Fonts for the browser: the system's, plus those from npm for missing scripts, so that a system
// without fonts (where Chromium crashes on drawing) still shows text.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { FONTS } from "./bundled-browser.ts";
import { provideScriptFonts } from "./script-fonts.ts";

const SYSTEM_FILE = "/etc/fonts/fonts.conf";
const SYSTEM_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts"];

export type FontOptions = {
  readonly executable: string;
  /** Writable folder for unpacked fonts, their cache and the configuration file. */
  readonly folder: string;
  /** Additional font folders (QUARRY_FONT_DIRS). */
  readonly fontDirs?: readonly string[];
};

/**
 * Writes a fontconfig file and returns its path, or undefined if the browser does not use
 * fontconfig.
 */
export async function provideFonts(options: FontOptions): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  const { executable, folder, fontDirs = [] } = options;
  const beside = path.join(path.dirname(executable), FONTS);
  // Beside the unpacked browser, so that all its users share the fonts.
  const home = existsSync(beside) ? path.dirname(executable) : folder;
  const cache = path.join(home, "font-cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const known = [...SYSTEM_FOLDERS, ...fontDirs];
  const scripts = await provideScriptFonts(path.join(home, "script-fonts"), known);
  const own = [...fontDirs, ...(existsSync(beside) ? [beside] : []), ...scripts];
  // Not shared, because servers differ in QUARRY_FONT_DIRS.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, "fonts.conf");
  const growing = `${file}.${randomUUID()}`;
  await writeFile(growing, buildFontConfiguration(own, cache, existsSync(SYSTEM_FILE)));
  await rename(growing, file);
  return file;
}

/** Fallback families when a page names none that exists. */
const FALLBACK_FAMILIES = [
  ["sans-serif", "Open Sans"],
  ["serif", "Open Sans"],
  ["monospace", "DejaVu Sans Mono"],
  ["monospace", "Open Sans"],
] as const;

/**
 * The monospace font contains Arabic letters, which would be used instead of those of the Arabic
 * font.
 */
const NO_ARABIC_IN_CODE =
  '  <match target="scan"><test name="family"><string>DejaVu Sans Mono</string></test><edit name="charset" mode="assign"><minus>' +
  "<name>charset</name><charset><range><int>0x600</int><int>0x6ff</int></range><range><int>0xfb50</int><int>0xfdff</int></range>" +
  "<range><int>0xfe70</int><int>0xfeff</int></range></charset></minus></edit></match>";

/**
 * Returns the fontconfig file (fonts-conf(5)): the system's rules if any, then our fonts as a
 * fallback.
 */
export function buildFontConfiguration(
  own: readonly string[],
  cache: string,
  hasSystemFile: boolean,
): string {
  // The system's preferences take precedence. Without any, ours must win over other fonts that
  // support the language.
  const binding = hasSystemFile ? "weak" : "same";
  const folders = [...(hasSystemFile ? [] : SYSTEM_FOLDERS), ...own];
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...(hasSystemFile ? [`  <include ignore_missing="yes">${SYSTEM_FILE}</include>`] : []),
    ...folders.map((name) => `  <dir>${escapeXml(name)}</dir>`),
    `  <cachedir>${escapeXml(cache)}</cachedir>`,
    ...FALLBACK_FAMILIES.map(
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
