// What the browser draws text with: the system's fonts, and after them those that the bundled browser brings, so that a
// system without any (where Chromium ends as soon as it draws) still shows text.
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { FONTS } from "./bundled-browser.ts";

const SYSTEM_FILE = "/etc/fonts/fonts.conf";
const SYSTEM_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts"];

/**
 * Writes a fontconfig file beside the browser and gives its path; undefined where no fonts lie beside the browser. The cache
 * of the fonts goes into the same folder.
 */
export async function provideFonts(executable: string): Promise<string | undefined> {
  const folder = path.dirname(executable);
  const own = path.join(folder, FONTS);
  if (!existsSync(own)) return undefined;
  const cache = path.join(folder, "font-cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const file = path.join(folder, "fonts.conf");
  const growing = `${file}.${process.pid}`;
  await writeFile(growing, fontConfiguration(own, cache, existsSync(SYSTEM_FILE)));
  await rename(growing, file);
  return file;
}

/** The fontconfig file (fonts-conf(5)): the system's rules where there are any, then the bundled fonts as a last resort. */
export function fontConfiguration(own: string, cache: string, hasSystemFile: boolean): string {
  const folders = [...(hasSystemFile ? [] : SYSTEM_FOLDERS), own];
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...(hasSystemFile ? [`  <include ignore_missing="yes">${SYSTEM_FILE}</include>`] : []),
    ...folders.map((name) => `  <dir>${escapeXml(name)}</dir>`),
    `  <cachedir>${escapeXml(cache)}</cachedir>`,
    ...["sans-serif", "serif", "monospace"].map(
      (family) =>
        `  <match target="pattern"><test name="family"><string>${family}</string></test>` +
        '<edit name="family" mode="append_last"><string>Open Sans</string></edit></match>',
    ),
    "</fontconfig>",
  ];
  return `${lines.join("\n")}\n`;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
