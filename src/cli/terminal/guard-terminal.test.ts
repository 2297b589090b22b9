import { describe, expect, it } from "vitest";
import { guardTerminal, toTerminalText } from "./guard-terminal.ts";

function open(isTTY: boolean) {
  const written: unknown[] = [];
  const stream = { isTTY, write: (chunk: unknown) => written.push(chunk) > 0 };
  return { written, stream: stream as unknown as NodeJS.WriteStream };
}

/**
 * Window title, clipboard (OSC 52), cursor, screen, one-byte CSI, answerback, hidden text, text
 * direction.
 */
const HOSTILE =
  "\u001b]0;title\u0007 \u001b]52;c;ZXZpbA==\u0007 \u001b[2J\u001b[H \u009b31m \u0005 \u001b[8mhidden \u202etxt \u007f";
// oxlint-disable-next-line no-control-regex -- what must not be left
const TERMINAL_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

describe("guardTerminal", () => {
  it("shows control sequences of page text on a terminal instead of sending them", () => {
    const out = open(true);
    const error = open(true);
    guardTerminal(out.stream, error.stream);
    out.stream.write(HOSTILE);
    out.stream.write(Buffer.from(HOSTILE));
    error.stream.write("\u001b]52;c;ZXZpbA==\u0007 \u001b[8mhidden");
    for (const text of [...out.written, ...error.written])
      expect(text).not.toMatch(TERMINAL_CONTROL);
    expect(out.written[0]).toContain("␛]52;c;ZXZpbA==␇");
  });

  it("keeps every byte for files and pipes", () => {
    const out = open(false);
    guardTerminal(out.stream, open(false).stream);
    const bytes = Buffer.from(HOSTILE);
    out.stream.write(HOSTILE);
    out.stream.write(bytes);
    expect(out.written).toEqual([HOSTILE, bytes]);
  });

  it("keeps lines, tabs, this program's styles, and progress on standard error only", () => {
    const out = open(true);
    const error = open(true);
    guardTerminal(out.stream, error.stream);
    const plain = "a\tb\r\n\u001b[1mbold\u001b[22m ü 漢 🙂\n";
    const progress = "\r\u001b[K\u001b[2A\u001b[J\u001b[?25l";
    for (const { stream } of [out, error]) {
      stream.write(plain);
      stream.write(progress);
    }
    expect(error.written).toEqual([plain, progress]);
    expect(out.written[0]).toBe(plain);
    expect(out.written[1]).not.toMatch(TERMINAL_CONTROL);
  });
});

it("toTerminalText also shows a page's styles as symbols", () => {
  expect(toTerminalText("\u001b[31mred\r\nback\rhidden")).toBe("␛[31mred\r\nback␍hidden");
});
