import { describe, expect, it } from "vitest";
import { actionsSchema, sumWaitMs } from "./actions.ts";
import { toErrorBody } from "../request/faults.ts";

describe("browser actions", () => {
  it.each([
    [{ type: "wait", milliseconds: 1 }, {}],
    [{ type: "wait", selector: "#a" }, {}],
    [{ type: "click", selector: "#a" }, { all: false }],
    [{ type: "screenshot" }, { fullPage: false }],
    [{ type: "write", text: "" }, {}],
    [{ type: "press", key: "Enter" }, {}],
    [{ type: "scroll" }, { direction: "down" }],
    [{ type: "scroll", direction: "up", selector: "p" }, {}],
    [
      { type: "scroll", selector: "" },
      { direction: "down", selector: undefined },
    ],
    [{ type: "scrape" }, {}],
    [{ type: "executeJavascript", script: "1" }, {}],
    [{ type: "pdf" }, { format: "Letter", landscape: false, scale: 1 }],
    [
      { type: "generatePDF", format: "A6" },
      { type: "pdf", landscape: false, scale: 1 },
    ],
  ])("accepts the actions %j", (action, filled) => {
    expect(actionsSchema.parse([action])).toEqual([{ ...action, ...filled }]);
  });

  it.each([
    [{ type: "wait" }, "either milliseconds or selector"],
    [{ type: "wait", milliseconds: 1, selector: "p" }, "either milliseconds or selector"],
  ])("rejects the actions %j with the rule's text", (action, text) => {
    const result = actionsSchema.safeParse([action]);
    if (result.success) throw new Error("was taken");
    expect(toErrorBody(result.error).error).toContain(text);
  });

  it.each([
    [{ type: "wait", milliseconds: 0 }],
    [{ type: "wait", milliseconds: 1.5 }],
    [{ type: "click" }],
    [{ type: "click", selector: "" }],
    [{ type: "write" }],
    [{ type: "press" }],
    [{ type: "scroll", direction: "left" }],
    [{ type: "scrape", selector: "p" }],
    [{ type: "executeJavascript" }],
    [{ type: "pdf", format: "A7" }],
    [{ type: "pdf", scale: 3 }],
    [{ type: "screenshot", quality: 0 }],
    [{ type: "hover", selector: "p" }],
    ["click"],
  ])("rejects the actions %j", (action) => {
    expect(actionsSchema.safeParse([action]).success).toBe(false);
  });

  it("counts a wait for a selector as one second", () => {
    const actions = actionsSchema.parse([
      { type: "wait", milliseconds: 250 },
      { type: "scrape" },
      { type: "wait", selector: "p" },
    ]);
    expect(sumWaitMs(actions)).toBe(1_250);
  });
});
