import { describe, expect, it } from "vitest";
import { draftPage } from "../../../test/understanding/derive-page.ts";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { readText } from "./tree.ts";

const textOf = (body: string): string =>
  readText(parseHtml(`<html><body>${body}</body></html>`), 10_000)
    .replaceAll(/\s+/g, " ")
    .trim();

const place = (id: string, provisional = "Loading"): string =>
  `<!--$?--><template id="B:${id}"></template><p>${provisional}</p><!--/$-->`;
const part = (id: string, content: string): string =>
  `<div hidden id="S:${id}">${content}</div><script>$RC("B:${id}","S:${id}")</script>`;
const withoutScripts = (text: string): string => text.replaceAll(/\$RC\([^)]*\)/g, "").trim();

describe("streamed parts", () => {
  it("puts streamed parts in place of the provisional content, also inside each other", () => {
    const body = `<main>Before ${place("0")} after</main>${part("0", `one ${place("1")} three`)}${part("1", "two")}`;
    expect(withoutScripts(textOf(body)).replaceAll(/\s+/g, " ")).toBe("Before one two three after");
  });

  it("shows a streamed part without a place where it is", () => {
    const html = toHtml(parseHtml(`<body>${part("7", "alone")}</body>`));
    expect(html).toContain('<div id="S:7">alone</div>');
  });

  it("keeps streamed parts hidden when their places are in each other", () => {
    const body = `<main>Text</main>${part("0", place("1"))}${part("1", place("0"))}`;
    expect(textOf(body)).toContain("Text");
    expect(textOf(body)).toContain("Loading");
  });

  it("keeps the depth limit when streamed parts are inserted", () => {
    const nested = (count: number, inner: string): string =>
      `${"<div>".repeat(count)}${inner}${"</div>".repeat(count)}`;
    const chain = Array.from({ length: 40 }, (_, at) =>
      part(at.toString(16), nested(30, at === 39 ? "end" : place((at + 1).toString(16)))),
    );
    const root = parseHtml(`<body><main>${place("0")}</main>${chain.join("")}</body>`);
    let deepest = 0;
    const open: { node: unknown; depth: number }[] = [{ node: root, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      deepest = Math.max(deepest, next.depth);
      const { children = [] } = next.node as { children?: unknown[] };
      for (const child of children) open.push({ node: child, depth: next.depth + 1 });
    }
    expect(deepest).toBeLessThan(560);
    expect(readText(root, 100_000)).toContain("end");
  });

  it("reads streamed parts in the json format", () => {
    const schema = {
      type: "object",
      properties: { weight_g: { type: "number" }, price: { type: "number" } },
    };
    const content = "<h1>Lamp</h1><p>€120.00</p><dl><dt>Weight</dt><dd>412 g</dd></dl>";
    const html = `<html><head><title>Lamp</title></head><body><main>${place("0")}</main>${part("0", content)}</body></html>`;
    expect(draftPage(html, schema).value).toEqual({ weight_g: 412, price: 120 });
  });
});
