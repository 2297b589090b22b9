import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askInterruptChoice, toInterruptChoice } from "./interrupt.ts";

it.each([
  ["c", "cancel"],
  ["C", "cancel"],
  ["l", "leave"],
  ["\u0003", "leave"],
  ["\r", "go on"],
  ["\u001b", "go on"],
  ["x", undefined],
  ["\u001b[A", undefined],
])("maps the key %j to %s", (key, wish) => expect(toInterruptChoice(key)).toBe(wish));

describe("asking on interrupt", () => {
  function buildTerminal(isTTY: boolean) {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), {
      isTTY,
      setRawMode: (mode: boolean) => modes.push(mode),
    }) as unknown as NodeJS.ReadStream;
    const written: string[] = [];
    return { input, modes, written, output: { write: (text: string) => written.push(text) > 0 } };
  }

  it("waits for a valid key and restores the terminal", async () => {
    const { input, output, modes, written } = buildTerminal(true);
    const asked = askInterruptChoice("crawl", input, output);
    input.push("x");
    await new Promise((resolve) => setImmediate(resolve));
    input.push("c");
    expect(await asked).toBe("cancel");
    expect(modes).toEqual([true, false]);
    expect(written[0]).toBe(
      "Cancel the crawl (c), leave it running (l), or go on watching (Enter)? ",
    );
  });

  it("leaves the job running when the terminal closes or there is none", async () => {
    const { input, output } = buildTerminal(true);
    const asked = askInterruptChoice("crawl", input, output);
    input.push(null);
    expect(await asked).toBe("leave");
    const none = buildTerminal(false);
    expect(await askInterruptChoice("crawl", none.input, none.output)).toBe("leave");
    expect(none.written).toEqual([]);
  });
});
