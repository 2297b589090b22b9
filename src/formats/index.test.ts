import { describe, expect, it } from "vitest";
import { parseOptionsSchema } from "../contract/page/parse.ts";
import { scrapeOptionsSchema } from "../contract/page/scrape.ts";
import {
  listDeclared,
  collectEvidenceOptions,
  FORMATS,
  isWithoutText,
  selectNeeding,
} from "./index.ts";
import { needsModel } from "./model/understand.ts";

const parse = (formats: unknown[]) => scrapeOptionsSchema.parse({ formats }).formats;

describe("the registry of formats", () => {
  it("finds each declaration under the name of its format", () => {
    for (const { name } of FORMATS) {
      const [found] = listDeclared([{ type: name } as never]);
      expect(found?.declaration.name).toBe(name);
    }
  });

  it("implements every format that is not declared unavailable", () => {
    for (const format of FORMATS) {
      const isMade = "derive" in format || "file" in format || format.needs.includes("history");
      expect(isMade || format.unavailable !== undefined, format.name).toBe(true);
    }
  });

  it("refuses for uploads every format that needs a browser or earlier versions of the page", () => {
    for (const { name, needs } of FORMATS)
      if (needs.length > 0) {
        const { error } = parseOptionsSchema.safeParse({ formats: [name] });
        expect(error?.issues[0]?.message, name).toContain("Uploaded files do not support");
      }
  });

  it("lists the formats that a page without text can have", () => {
    expect(isWithoutText("screenshot")).toBe(true);
    expect(isWithoutText("markdown")).toBe(false);
  });

  it("lists the formats of a request that need a browser", () => {
    expect(selectNeeding("browser", parse(["markdown", "screenshot", "branding"]))).toEqual([
      "screenshot",
      "branding",
    ]);
    expect(selectNeeding("browser", parse(["markdown", "images"]))).toEqual([]);
  });

  it("joins the browser options of all formats of a request", () => {
    const wanted = collectEvidenceOptions(
      parse([{ type: "screenshot", quality: 40 }, "images", "branding"]),
    );
    expect(wanted).toMatchObject({ screenshot: { quality: 40 }, lazy: true });
    expect(wanted.probes?.map(({ name }) => name)).toEqual(["branding"]);
    expect(collectEvidenceOptions(parse(["markdown"]))).toEqual({ probes: [] });
  });

  it("returns which formats a model improves", () => {
    expect(needsModel(parse(["summary"]))).toBe(true);
    expect(needsModel(parse(["markdown", { type: "deterministicJson", prompt: "price" }]))).toBe(
      false,
    );
  });
});
