// The settings of the browser.
import path from "node:path";
import {
  readAnyText,
  readCheckedList,
  readChoice,
  readFlag,
  HTTP_ADDRESS,
  defineRow,
  readWhole,
} from "./checks.ts";

export const BROWSER_SETTINGS = {
  browserCdp: defineRow(
    "browser",
    "QUARRY_BROWSER_CDP",
    readFlag,
    "false",
    "Return URLs to control a session's page over the DevTools protocol, limited to commands that stay in the page.",
  ),
  browser: defineRow(
    "browser",
    "QUARRY_BROWSER",
    readAnyText,
    "",
    "Path of the Chromium to use, or none for a server without one. When not set: the system's chromium-headless-shell, or the one from npm, or a full Chromium or Chrome.",
  ),
  adLists: defineRow(
    "browser",
    "QUARRY_AD_LISTS",
    readCheckedList((entry) =>
      /^https?:$/.test(URL.parse(entry)?.protocol ?? "") ? undefined : `"${entry}" ${HTTP_ADDRESS}`,
    ),
    "https://easylist.to/easylist/easylist.txt,https://easylist.to/easylist/easyprivacy.txt",
    "Block lists that quarry lists update fetches and compiles, comma-separated; none is fetched by itself.",
  ),
  fontDirs: defineRow(
    "browser",
    "QUARRY_FONT_DIRS",
    readCheckedList((entry) =>
      path.isAbsolute(entry) ? undefined : `"${entry}" is not the full path of a folder`,
    ),
    "",
    "Folders with additional fonts for screenshots, comma-separated; they take precedence over those from npm.",
  ),
  browserSandbox: defineRow(
    "browser",
    "QUARRY_BROWSER_SANDBOX",
    readChoice(["auto", "always"]),
    "auto",
    "auto runs Chromium without its own sandbox if the system does not allow one (as root, or without user namespaces); always refuses to start it there.",
  ),
  browserIsolation: defineRow(
    "browser",
    "QUARRY_BROWSER_ISOLATION",
    readChoice(["job", "page"]),
    "job",
    "job lets the pages of a crawl or batch on one site follow each other in one context, cleared in between, at about half the CPU; page gives every page a fresh context.",
  ),
  pageData: defineRow(
    "browser",
    "QUARRY_PAGE_DATA",
    readChoice(["read", "render"]),
    "render",
    "render opens every page that needs it in the browser; read, an experiment, takes a page from the data in its HTML where this was shown to equal rendered pages of the same part of the site.",
  ),
  browserPages: defineRow(
    "browser",
    "QUARRY_BROWSER_PAGES",
    readWhole(0, 1_000),
    "0",
    "Maximum concurrent pages of the browser in this process; further ones wait. 0 means two per CPU, and at most one per 250 MiB of memory.",
  ),
} as const;
