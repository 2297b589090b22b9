import { draftPage } from "./derive-page.ts";

export const STRING = { type: "string" };
export const NUMBER = { type: "number" };
export const INTEGER = { type: "integer" };
export const BOOLEAN = { type: "boolean" };
export const DATE = { type: "string", format: "date" };
export const CLOCK = { type: "string", description: "HH:MM" };
export const STRINGS = { type: "array", items: STRING };

type Properties = Record<string, unknown>;
type Row<P extends Properties> = { readonly [K in keyof P]?: unknown };

/** Builds a page with header and footer around its main content; `main` includes the heading. */
export const pageOf = (lang: string, main: string, footer = ""): string =>
  `<!doctype html><html lang="${lang}"><head><title>Page</title></head><body><header class="sticky top-0"><a href="/">Home</a></header><main class="mx-auto max-w-5xl px-4">${main}</main><footer>${footer}</footer></body></html>`;

/** Builds a table with a row of column headers. */
export const tableOf = (
  heads: readonly string[],
  ...rows: readonly (readonly string[])[]
): string =>
  `<table class="w-full text-sm"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table>`;

/** Fills an object from a page; empty when the rules find nothing. */
export const readObject = <P extends Properties>(html: string, properties: P): Row<P> =>
  (draftPage(html, { type: "object", properties }).value as Row<P> | undefined) ?? {};

/** Fills the list `name` from a page; empty when the rules find none. */
export const readRows = <P extends Properties>(
  html: string,
  name: string,
  properties: P,
): readonly Row<P>[] => {
  const list = { type: "array", items: { type: "object", properties } };
  return (readObject(html, { [name]: list })[name] ?? []) as readonly Row<P>[];
};
