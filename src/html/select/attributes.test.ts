import { describe, expect, it } from "vitest";
import { selectAttributes } from "./attributes.ts";
import { parseHtml } from "../parse/parse.ts";

describe("selectAttributes", () => {
  it("returns values per request in order, falls back to data-<name>, and returns [] for invalid CSS", () => {
    const document = parseHtml('<a href="/1" data-id="x">1</a><a data-href="/2">2</a><a>3</a>');
    expect(
      selectAttributes(document, [
        { selector: "a", attribute: "href" },
        { selector: "a", attribute: "ID" },
        { selector: "a", attribute: "data-href" },
        { selector: "a[", attribute: "href" },
      ]),
    ).toEqual([
      { selector: "a", attribute: "href", values: ["/1", "/2"] },
      { selector: "a", attribute: "ID", values: ["x"] },
      { selector: "a", attribute: "data-href", values: ["/2"] },
      { selector: "a[", attribute: "href", values: [] },
    ]);
  });

  it("finds frames of the original page", () => {
    const document = parseHtml(
      '<p><iframe src="/1"></iframe></p><div><iframe data-src="/2"></iframe></div>',
    );
    const values = (selector: string): unknown =>
      selectAttributes(document, [{ selector, attribute: "src" }])[0]?.values;
    expect(values("iframe")).toEqual(["/1", "/2"]);
    expect(values("div:has(iframe) > iframe, iframe[src]")).toEqual(["/1", "/2"]);
  });
});
