import { describe, expect, it } from "vitest";
import { monitorRequestSchema } from "../../contract/jobs/monitor.ts";
import { parseChannel, parseCondition } from "./monitor-options.ts";
import { toMonitorRequest, toPhrase } from "./monitor.ts";

describe("options of quarry monitor add", () => {
  it.each([
    ["Price < 20", { type: "numberBelow", near: "Price", value: 20 }],
    ["Seats left > 3.5", { type: "numberAbove", near: "Seats left", value: 3.5 }],
    ["< 20", { type: "numberBelow", value: 20 }],
    [" >-3.5 ", { type: "numberAbove", value: -3.5 }],
    ["~5 %", { type: "numberChangedByPercent", value: 5 }],
    ["Price ~ 5%", { type: "numberChangedByPercent", near: "Price", value: 5 }],
    ["added sold out", { type: "textAdded", text: "sold out" }],
    ["disappears in stock", { type: "textDisappears", text: "in stock" }],
    ["title", { type: "titleChanged" }],
    ["new-urls", { type: "newUrls" }],
  ])("--when %s becomes a condition", (text, condition) => {
    expect(parseCondition(text)).toEqual(condition);
  });

  it.each([
    ["mailto:a@b.example,c@d.example", { type: "email", to: ["a@b.example", "c@d.example"] }],
    ["slack:https://hooks.example/1", { type: "slack", url: "https://hooks.example/1" }],
    ["https://hooks.example/1", { type: "webhook", url: "https://hooks.example/1" }],
    [
      '{"type":"gotify","url":"https://g.example","token":"t"}',
      { type: "gotify", url: "https://g.example", token: "t" },
    ],
  ])("--notify %s becomes a channel", (text, channel) => {
    expect(parseChannel(text)).toEqual(channel);
  });

  it("rejects what it does not understand and names the option", () => {
    expect(() => parseCondition("cheaper please")).toThrow("--when cheaper please");
    expect(() => parseChannel("pigeon:loft")).toThrow("--notify pigeon:loft");
    expect(() => toMonitorRequest(["https://a.example"], {})).toThrow("--every or --cron");
  });

  it("builds a request that the contract accepts", () => {
    const request = toMonitorRequest(["https://a.example/x"], {
      every: "15m",
      selector: [".price"],
      when: ["< 20", "Price < 20"],
      notify: ["ntfy:https://ntfy.example/topic"],
    });
    expect(monitorRequestSchema.parse(request)).toMatchObject({
      name: "a.example/x",
      schedule: { text: "every 15 minutes" },
      targets: [{ type: "scrape", scrapeOptions: { includeTags: [".price"] } }],
    });
  });

  it("expands short intervals and leaves phrases alone", () => {
    expect([toPhrase("15m"), toPhrase("2h"), toPhrase("1d"), toPhrase("daily at 9:30")]).toEqual([
      "every 15 minutes",
      "every 2 hours",
      "daily",
      "daily at 9:30",
    ]);
  });
});
