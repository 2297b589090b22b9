import { describe, expect, it } from "vitest";
import { readCall } from "./options.ts";

describe("options of the reader", () => {
  it("names what x-proxy takes when it is none of it, and ignores its case", () => {
    expect(readCall("a.test", { "x-proxy": "DE" }).options["x-proxy"]).toBe("de");
    expect(readCall("a.test", { "x-proxy": "Enhanced" }).options["x-proxy"]).toBe("enhanced");
    expect(() => readCall("a.test", { "x-proxy": "mars" })).toThrow(
      "x-proxy: must be auto, none, basic, enhanced or a country code such as de",
    );
  });
});
