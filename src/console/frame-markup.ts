// The frame as markup: what people see before any script has run. The app draws the same frame
// over it, so nothing moves.
import { ICON_PATHS, LOGO_PATHS, type IconName } from "./app/ui/icon-paths.ts";
import {
  findScreen,
  isWithin,
  ON_PHONE,
  SCREEN_LIST,
  type ScreenEntry,
} from "./app/screens/list.ts";

export type FrameParts = {
  /** Path of the document. */
  readonly path: string;
  readonly version: string;
  readonly isNarrow: boolean;
};

export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const drawIcon = (name: IconName, size = 16): string =>
  `<svg width="${size}" height="${size}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${ICON_PATHS[name]}"/></svg>`;

const LOGO = `<svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent-fill)"/><path d="${LOGO_PATHS.stone}" fill="var(--on-accent)" fill-opacity=".92"/><path d="${LOGO_PATHS.side}" fill="var(--accent-fill)" fill-opacity=".35"/></svg>`;

const drawLink = (
  { name, icon, href }: { name: string; icon: IconName; href: string },
  { isCurrent = false, isOnPhone = false } = {},
): string =>
  `<a class="rail-link${isOnPhone ? " on-phone" : ""}" href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${drawIcon(icon)}<span class="rail-label">${name}</span></a>`;

function drawGroup(group: ScreenEntry["group"], current: ScreenEntry | undefined): string {
  return SCREEN_LIST.filter((screen) => screen.group === group)
    .map((screen) =>
      drawLink(
        { name: screen.name, icon: screen.icon, href: screen.paths[0] ?? "/" },
        { isCurrent: isWithin(screen, current), isOnPhone: ON_PHONE.has(screen.name) },
      ),
    )
    .join("");
}

export function drawFrame({ path, version, isNarrow }: FrameParts): string {
  const current = findScreen(path, SCREEN_LIST)?.screen;
  const docs = drawLink({ name: "Docs", icon: "docs", href: "/docs" });
  return `<div class="frame${isNarrow ? " narrow" : ""}">
<nav class="rail" aria-label="Screens"><a class="brand" href="/">${LOGO}<span class="rail-label">Quarry</span></a>
<div class="rail-links">${drawGroup("work", current)}</div><div class="rail-group">Server</div><div class="rail-links">${drawGroup("server", current)}${docs}</div>
<div class="rail-foot row spread"><span class="rail-version">Quarry ${escapeText(version)}</span></div></nav>
<div class="frame-main"><header class="topbar"><span class="palette-button">${drawIcon("search", 14)}<span class="truncate">Search pages, jobs, screens …</span></span></header>
<main class="screen" aria-busy="true" aria-label="Loading"></main></div></div>`;
}
