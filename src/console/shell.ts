// The document of the console: the frame that is painted before any script has run, and its content
// security policy.
import { createHash } from "node:crypto";
import type { AssetSet } from "./assets.ts";
import { APP_URL } from "./find-files.ts";
import type { SessionView } from "./session-view.ts";

export type ShellParts = {
  readonly assets: AssetSet;
  readonly session: SessionView;
  /** The theme chosen in the browser; undefined means the system's. */
  readonly theme: "light" | "dark" | undefined;
};

export type Shell = { readonly html: string; readonly policy: string };

const STYLES = ["tokens.css", "base.css", "layout.css", "components.css", "views.css", "work.css"];

/** Preloaded: the browser would otherwise discover them one after the other. */
const FIRST_MODULES = ["main.ts", "app.ts", "ui/dom.ts", "data/session.ts", "data/api.ts"];

const hashText = (text: string): string => createHash("sha256").update(text).digest("base64");

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Allows only the server's own files; inline only the import map, by its hash. Enforces Trusted
 * Types.
 */
const buildPolicy = (importMap: string): string => {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hashText(importMap)}'`,
    "style-src 'self'",
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

export function buildShell({ assets, session, theme }: ShellParts): Shell {
  const importMap = JSON.stringify(assets.importMap);
  const readStyle = (name: string): string =>
    `<link rel="stylesheet" href="${assets.locate(`${APP_URL}styles/${name}`)}">`;
  const preload = (url: string): string =>
    `<link rel="modulepreload" href="${assets.locate(url)}">`;
  const html = `<!doctype html>
<html lang="en"${theme === undefined ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? "light dark"}">
<meta name="session" content="${escape(JSON.stringify(session))}">
<title>Quarry</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
${STYLES.map(readStyle).join("\n")}
<script type="importmap">${importMap}</script>
${FIRST_MODULES.map((name) => preload(APP_URL + name)).join("\n")}
<script type="module" src="${assets.locate(`${APP_URL}main.ts`)}"></script>
</head>
<body>
<div id="app">${session.mode === "signed-out" ? SIGNED_OUT : FRAME}</div>
<noscript><p class="noscript">The console needs JavaScript. <a href="/docs">The guides</a> and <a href="/docs/api">the API reference</a> do not.</p></noscript>
</body>
</html>
`;
  return { html, policy: buildPolicy(importMap) };
}

const SIGNED_OUT = '<div class="sign-in" aria-busy="true"></div>';
const FRAME =
  '<div class="frame" aria-busy="true"><div class="rail"></div><div class="frame-main"><div class="topbar"></div><div class="screen"></div></div></div>';

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1c6b4c"/><path d="M8 21.5 16 7l8 14.5-8 4.5z" fill="#fff" fill-opacity=".92"/><path d="m16 7 8 14.5-8 4.5z" fill="#1c6b4c" fill-opacity=".35"/></svg>`;

const FRAME_SCRIPT = `${APP_URL}frame/page-frame.ts`;
const FRAME_STYLE = `${APP_URL}styles/frame.css`;

/**
 * Builds the document that shows page content: sandboxed, with an opaque origin, without network.
 * Its script and style are inline, allowed by hash; scripts of the page have no hash.
 */
export async function buildFrame(assets: AssetSet): Promise<Shell> {
  const read = async (url: string): Promise<string> =>
    new TextDecoder().decode(await (await assets.load(url))?.readBody());
  const [script, style] = await Promise.all([read(FRAME_SCRIPT), read(FRAME_STYLE)]);
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
