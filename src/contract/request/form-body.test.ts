import { describe, expect, it } from "vitest";
import { toPlainBody } from "./form-body.ts";

const group = { country: "DE", languages: { language: [{ code: "de" }] } };
const location = { settings: group, country: "DE", languages: ["de"] };

describe("request body of the n8n form client", () => {
  it("moves formats beside scrapeOptions into them", () => {
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

  it("keeps formats inside scrapeOptions when there are none beside them", () => {
    const scrapeOptions = { formats: [{ type: "markdown" }] };
    const body = { formats: [], scrapeOptions, integration: "n8n" };
    expect(toPlainBody(body)).toEqual({ scrapeOptions, integration: "n8n" });
  });

  it("unwraps the settings group of location", () => {
    expect(toPlainBody({ location, integration: "n8n" })).toEqual({
      location: { country: "DE", languages: ["de"] },
      integration: "n8n",
    });
  });

  it("leaves a body without form groups unchanged", () => {
    const body = {
      url: "a",
      formats: ["markdown"],
      location: { country: "DE" },
      integration: "n8n",
    };
    expect(toPlainBody(body)).toEqual(body);
  });
});

describe("request body of other clients", () => {
  it("leaves the body of any other client unchanged", () => {
    for (const body of [{ formats: [], scrapeOptions: {}, location }, null, undefined, [], "a", 1])
      expect(toPlainBody(body)).toBe(body);
  });
});
