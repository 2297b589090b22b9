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
});
