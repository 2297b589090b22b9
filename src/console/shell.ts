// The document of the console with the frame and its styles, which are painted before anything else
// is fetched, and its content security policy.
import { createHash } from "node:crypto";
import type { AssetSet } from "./assets.ts";
import { APP_URL } from "./find-files.ts";
import { LOGO_PATHS } from "./app/ui/icon-paths.ts";
import { drawFrame, escapeText } from "./frame-markup.ts";
import type { SessionView } from "./session-view.ts";

export type ShellParts = {
  readonly assets: AssetSet;
  readonly session: SessionView;
  /** The theme chosen in the browser; undefined means the system's. */
  readonly theme: "light" | "dark" | undefined;
  /** True if the navigation shows icons only. */
  readonly isNarrow: boolean;
  /** Path of the screen. */
  readonly path: string;
};

export type Shell = { readonly html: string; readonly policy: string };

/** Styles of the frame, in the document. */
const FRAME_STYLES = ["tokens.css", "base.css", "layout.css"];
/** Styles of the screens, fetched beside the modules. Scripts wait for them, the first paint does not. */
const SCREEN_STYLES = ["components.css", "views.css", "work.css"];

/** Preloaded: the browser would otherwise discover them one after the other. */
const FIRST_MODULES = ["main.ts", "app.ts", "ui/dom.ts", "data/session.ts", "data/api.ts"];

const hashText = (text: string): string => createHash("sha256").update(text).digest("base64");

/**
 * Allows only the server's own files; inline only the import map and the styles of the frame, by
 * their hashes. Enforces Trusted Types.
 */
const buildPolicy = (importMap: string, styles: string): string => {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hashText(importMap)}'`,
    `style-src 'self' 'sha256-${hashText(styles)}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; ");
};

const readText = async (assets: AssetSet, url: string): Promise<string> =>
  new TextDecoder().decode(await (await assets.load(url))?.readBody());

const frameStyles = new WeakMap<AssetSet, Promise<string>>();

/** Read once per set of files. */
function readFrameStyles(assets: AssetSet): Promise<string> {
  const known = frameStyles.get(assets);
  if (known !== undefined) return known;
  const reading = Promise.all(
    FRAME_STYLES.map((name) => readText(assets, `${APP_URL}styles/${name}`)),
  ).then((texts) => texts.join(""));
  frameStyles.set(assets, reading);
  reading.catch(() => frameStyles.delete(assets));
  return reading;
}

export async function buildShell(parts: ShellParts): Promise<Shell> {
  const { assets, session, theme, isNarrow, path } = parts;
  const styles = await readFrameStyles(assets);
  const importMap = JSON.stringify(assets.importMap);
  const linkStyle = (name: string): string =>
    `<link rel="stylesheet" href="${assets.locate(`${APP_URL}styles/${name}`)}">`;
  const preload = (url: string): string =>
    `<link rel="modulepreload" href="${assets.locate(url)}">`;
  const html = `<!doctype html>
<html lang="en"${theme === undefined ? "" : ` data-theme="${theme}"`}${isNarrow ? ' data-rail="narrow"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? "light dark"}">
<meta name="session" content="${escapeText(JSON.stringify(session))}">
<title>Quarry</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<style>${styles}</style>
<script type="importmap">${importMap}</script>
${FIRST_MODULES.map((name) => preload(APP_URL + name)).join("\n")}
<script type="module" src="${assets.locate(`${APP_URL}main.ts`)}"></script>
</head>
<body>
<div id="app">${session.mode === "signed-out" ? SIGNED_OUT : drawFrame({ path, isNarrow, version: session.version })}</div>
${SCREEN_STYLES.map(linkStyle).join("\n")}
<noscript><p class="noscript">The console needs JavaScript. <a href="/docs">The guides</a> and <a href="/docs/api">the API reference</a> do not.</p></noscript>
</body>
</html>
`;
  return { html, policy: buildPolicy(importMap, styles) };
}

const SIGNED_OUT = '<div class="sign-in" aria-busy="true"></div>';

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1c6b4c"/><path d="${LOGO_PATHS.stone}" fill="#fff" fill-opacity=".92"/><path d="${LOGO_PATHS.side}" fill="#1c6b4c" fill-opacity=".35"/></svg>`;

const FRAME_SCRIPT = `${APP_URL}frame/page-frame.ts`;
const FRAME_STYLE = `${APP_URL}styles/frame.css`;

/**
 * Builds the document that shows page content: sandboxed, with an opaque origin, without network.
 * Its script and style are inline, allowed by hash; scripts of the page have no hash.
 */
export async function buildFrame(assets: AssetSet): Promise<Shell> {
  const [script, style] = await Promise.all([
    readText(assets, FRAME_SCRIPT),
    readText(assets, FRAME_STYLE),
  ]);
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Page</title>
<style>${style}</style></head>
<body></body>
<script>${script}</script>
</html>
`;
  const policy = [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'sha256-${hashText(script)}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  return { html, policy };
}
