import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import { StepRecorder } from "./step-recorder.ts";

const size = { width: 100, height: 100 };

/** A page whose isolated scripts have this value; undefined for one that does not respond. */
const respond = (value: unknown): CDPSession =>
  ({
    send: async (method: string) => {
      if (value === undefined) throw new Error("no answer");
      if (method === "Page.getFrameTree") return { frameTree: { frame: { id: "1" } } };
      return method === "Runtime.evaluate" ? { result: { value } } : { executionContextId: 1 };
    },
  }) as unknown as CDPSession;

describe("recorded texts", () => {
  it.each([
    ["in a plain field", respond(false), "hunter2"],
    ["in a password field", respond(true), ""],
    ["while the page does not respond", respond(undefined), ""],
    ["while no page is shown", undefined, ""],
  ])("keeps a text typed %s only when it is no password", async (_, cast, kept) => {
    const recorder = new StepRecorder();
    recorder.start("about:blank");
    for (const key of "hunter2") await recorder.note({ type: "keydown", key }, { cast, size });
    expect(recorder.steps).toEqual([{ type: "write", text: kept, isSecret: kept === "" }]);
  });

  it("does not append a password to the text before it when the page moves the focus", async () => {
    const recorder = new StepRecorder();
    recorder.start("about:blank");
    const type = async (text: string, isPassword: boolean): Promise<void> => {
      const cast = respond(isPassword);
      for (const key of text) await recorder.note({ type: "keydown", key }, { cast, size });
    };
    await type("ada", false);
    await type("hunter2", true);
    await type("ok", false);
    expect(recorder.steps).toEqual([
      { type: "write", text: "ada", isSecret: false },
      { type: "write", text: "", isSecret: true },
      { type: "write", text: "ok", isSecret: false },
    ]);
  });
});
