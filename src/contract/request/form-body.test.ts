import { describe, expect, it } from "vitest";
import { toPlainBody } from "./form-body.ts";

const group = { country: "DE", languages: { language: [{ code: "de" }] } };
const location = { settings: group, country: "DE", languages: ["de"] };

describe("a body of n8n's form", () => {
  it("has the formats that stand beside scrapeOptions in them", () => {
    const body = {
      url: "https://a.com",
      formats: ["markdown", { type: "screenshot", fullPage: true }],
      scrapeOptions: { formats: { format: [{ type: "markdown" }] }, location, mobile: false },
      integration: "n8n",
    };
    expect(toPlainBody(body)).toEqual({
      url: "https://a.com",
      scrapeOptions: {
        formats: ["markdown", { type: "screenshot", fullPage: true }],
        location: { country: "DE", languages: ["de"] },
        mobile: false,
      },
      integration: "n8n",
    });
  });

  it("keeps the formats inside when there are none beside them", () => {
    const scrapeOptions = { formats: [{ type: "markdown" }] };
    const body = { formats: [], scrapeOptions, integration: "n8n" };
    expect(toPlainBody(body)).toEqual({ scrapeOptions, integration: "n8n" });
  });

  it("has no group in its location", () => {
    expect(toPlainBody({ location, integration: "n8n" })).toEqual({
      location: { country: "DE", languages: ["de"] },
      integration: "n8n",
    });
  });

  it("stays as it is when no group stands in it", () => {
    const body = {
      url: "a",
      formats: ["markdown"],
      location: { country: "DE" },
      integration: "n8n",
    };
    expect(toPlainBody(body)).toEqual(body);
  });
});

describe("a body of any other client", () => {
  it("is not touched", () => {
    for (const body of [{ formats: [], scrapeOptions: {}, location }, null, undefined, [], "a", 1])
      expect(toPlainBody(body)).toBe(body);
  });
});
