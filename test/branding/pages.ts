// Pages for the evaluation of the branding format, and their expected values.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import bootswatch from "bootswatch/package.json" with { type: "json" };
import type { Page } from "playwright-core";
import { compositeOver, parseColor, toHex } from "../../src/formats/branding/color.ts";
import { readStack } from "../../src/formats/branding/typography.ts";

const ORIGIN = "http://branding.test";
const LAYOUTS = path.join(import.meta.dirname, "layouts");
const PLAIN = path.join(import.meta.dirname, "plain");

/** Colours as `#RRGGBB` by role, and the first family of the body and heading font stacks. */
export type Truth = Readonly<Record<string, string>>;

/** Hidden from the format: nothing, variable names, or class names too. */
export const DISGUISES = ["none", "variables", "variables and classes"] as const;
export type Disguise = (typeof DISGUISES)[number];
export type Mode = "light" | "dark";

/** Edition of the themes that the figures are for. */
export const THEMES = `${bootswatch.name} ${bootswatch.version}`;

const themeFolder = path.join(
  path.dirname(createRequire(import.meta.url).resolve("bootswatch/package.json")),
  "dist",
);

export async function listThemes(): Promise<string[]> {
  return (await readdir(themeFolder)).toSorted();
}

export async function readTheme(theme: string): Promise<string> {
  return await readFile(path.join(themeFolder, theme, "bootstrap.css"), "utf8");
}

export async function listLayouts(): Promise<string[]> {
  return (await readdir(LAYOUTS)).map((file) => path.basename(file, ".html")).toSorted();
}

export async function readLayout(layout: string): Promise<string> {
  return await readFile(path.join(LAYOUTS, `${layout}.html`), "utf8");
}

function readBlock(css: string, selector: RegExp): Map<string, string> {
  const block = selector.exec(css)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

/** Reads the values that the theme's own stylesheet declares. */
export function readTruth(css: string, mode: Mode): Truth {
  const variables = readBlock(css, /:root,\s*\[data-bs-theme=light\]\s*\{([^}]*)\}/);
  if (mode === "dark") {
    for (const [name, value] of readBlock(css, /\n\[data-bs-theme=dark\]\s*\{([^}]*)\}/)) {
      variables.set(name, value);
    }
  }
  const read = (name: string): string => {
    let value = variables.get(name) ?? "";
    for (let round = 0; round < 5; round += 1) {
      value = value.replace(/var\((--[\w-]+)\)/, (_, inner: string) => variables.get(inner) ?? "");
    }
    return value;
  };
  const behind = parseColor(read("--bs-body-bg"));
  const color = (name: string): string => {
    const found = parseColor(read(name));
    if (found === undefined || behind === undefined) throw new Error(`no colour in ${name}`);
    return toHex(compositeOver(found, behind));
  };
  const body = readStack(read("--bs-body-font-family"));
  const heading = /\nh6, \.h6,[^{]*\{[^}]*font-family:\s*([^;]+);/.exec(css)?.[1];
  return {
    primary: color("--bs-primary"),
    secondary: color("--bs-secondary"),
    success: color("--bs-success"),
    warning: color("--bs-warning"),
    error: color("--bs-danger"),
    background: color("--bs-body-bg"),
    textPrimary: color("--bs-body-color"),
    "font body": body[0] ?? "",
    "font heading": (heading === undefined ? body : readStack(heading))[0] ?? "",
  };
}

const scramble = (name: string): string =>
  `x${createHash("sha256").update(name).digest("hex").slice(0, 7)}`;

/** Returns the page in a theme, with revealing names replaced by meaningless ones. */
export function disguise(
  html: string,
  css: string,
  mode: Mode,
  how: Disguise,
): { html: string; css: string } {
  const themed = html.replace("<html ", `<html data-bs-theme="${mode}" `);
  if (how === "none") return { html: themed, css };
  const hidden = css.replace(/--[a-z][\w-]*/g, (name) => `--${scramble(name)}`);
  if (how === "variables") return { html: themed, css: hidden };
  return {
    html: themed.replace(
      /class="([^"]*)"/g,
      (_, list: string) => `class="${list.split(/\s+/).map(scramble).join(" ")}"`,
    ),
    css: hidden.replace(/(?<=^|[{}]|\*\/)[^{}@]+(?=\{)/g, (selector) =>
      selector.replace(/\.([a-zA-Z][\w-]*)/g, (_, name: string) => `.${scramble(name)}`),
    ),
  };
}

/** Opens the page from memory; none of its requests leaves the machine. */
export async function openFromMemory(page: Page, html: string, css: string): Promise<void> {
  await page.unrouteAll();
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    if (url === `${ORIGIN}/`) await route.fulfill({ contentType: "text/html", body: html });
    else if (url === `${ORIGIN}/theme.css`)
      await route.fulfill({ contentType: "text/css", body: css });
    else await route.abort();
  });
  await page.goto(`${ORIGIN}/`, { waitUntil: "load" });
}

export type PlainPage = { readonly name: string; readonly html: string; readonly truth: Truth };

/** Pages without Bootstrap, with the values that a person reads from them. */
export async function readPlainPages(): Promise<PlainPage[]> {
  const truths = JSON.parse(await readFile(path.join(PLAIN, "truth.json"), "utf8")) as Record<
    string,
    Truth
  >;
  return await Promise.all(
    Object.entries(truths).map(async ([name, truth]) => ({
      name,
      truth,
      html: await readFile(path.join(PLAIN, `${name}.html`), "utf8"),
    })),
  );
}

type Colors = { readonly colors?: Readonly<Record<string, string>> | undefined };
type Fonts = {
  readonly typography?:
    | { readonly fontFamilies?: Readonly<Record<string, string>> | undefined }
    | undefined;
};

/** Returns the answer for a key of the truth. */
export function formatAnswer(profile: Colors & Fonts, key: string): string {
  if (key === "colorScheme") return String((profile as Record<string, unknown>)["colorScheme"]);
  if (!key.startsWith("font ")) return profile.colors?.[key] ?? "";
  const role = key === "font body" ? "primary" : key.slice("font ".length);
  return profile.typography?.fontFamilies?.[role] ?? "";
}

/** True if equal; colours may differ by two steps per channel. */
export function isRight(answer: string, truth: string): boolean {
  const [one, two] = [parseColor(answer), parseColor(truth)];
  if (!truth.startsWith("#") || one === undefined || two === undefined) return answer === truth;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2;
  return near(one.red, two.red) && near(one.green, two.green) && near(one.blue, two.blue);
}
