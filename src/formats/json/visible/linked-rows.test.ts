import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const valueOf = (rows: string): unknown =>
  draftPage(
    `<!doctype html><html lang="en"><body><main><h1>Lake Orn</h1><p>Depth: 40 m</p><div><h2>Lakes</h2><ul>${rows}</ul></div></main></body></html>`,
    { type: "object", properties: { depth_m: { type: "number" }, clarity: { type: "number" } } },
  ).value;

describe("rows that begin with a link", () => {
  it("takes nothing from linked rows for the page behind the link", () => {
    const rows =
      '<li><a href="/l/1">Lake Ulv</a> <span>12° · Clarity 3</span></li><li><a href="/l/2">Lake Rav</a> <span>14°</span></li>';
    expect(valueOf(rows)).toEqual({ depth_m: 40 });
  });

  it("uses linked rows when their links lead to parts of the page", () => {
    const rows =
      '<li><a href="#c">Water</a> <span>12° · Clarity 3</span></li><li><a href="#d">Shore</a> <span>14°</span></li>';
    expect(valueOf(rows)).toEqual({ depth_m: 40, clarity: 3 });
  });
});
