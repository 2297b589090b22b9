import { describe, expect, it } from "vitest";
import { BoundedMessages, MESSAGE_LIMITS, type RefusedMessage } from "./bounded-messages.ts";

function open(limits: Partial<typeof MESSAGE_LIMITS> = {}, now: () => number = () => 0) {
  const delivered: string[] = [];
  const refused: RefusedMessage[] = [];
  const messages = new BoundedMessages({
    limits: { ...MESSAGE_LIMITS, ...limits },
    deliver: (json) => void delivered.push(json),
    onRefused: (each) => void refused.push(each),
    now,
  });
  return { messages, delivered, refused };
}

/** Feeds the text in chunks of `size` bytes, as a pipe might. */
function feed(messages: BoundedMessages, text: string, size: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) messages.feed(bytes.subarray(at, at + size));
}

const consoleEvent = (text: string): string =>
  `{"method":"Runtime.consoleAPICalled","params":{"args":["${text}"]},"sessionId":"AB1"}`;

describe("BoundedMessages", () => {
  it.each([1, 7, 200, 5_000])(
    "delivers whole messages when they arrive %i bytes at a time",
    (size) => {
      const { messages, delivered, refused } = open();
      const sent = [
        '{"id":1,"result":{}}',
        consoleEvent("ä".repeat(400)),
        '{"id":2,"result":{"a":"€"}}',
      ];
      feed(messages, `${sent.join("\0")}\0\0`, size);
      expect(delivered).toEqual(sent);
      expect(refused).toEqual([]);
    },
  );

  it.each([1, 7, 200, 5_000])(
    "answers a command with an error when its answer is too long, %i bytes at a time",
    (size) => {
      const { messages, delivered, refused } = open({ maxAnswerBytes: 500 });
      const long = `{"id":17,"result":{"data":"${"x".repeat(1_000)}"},"sessionId":"0A1B"}`;
      feed(messages, `${long}\0{"id":18,"result":{}}\0`, size);
      expect(delivered.map((json) => JSON.parse(json) as unknown)).toEqual([
        {
          id: 17,
          sessionId: "0A1B",
          error: {
            code: -32_000,
            message: expect.stringContaining(`${long.length} bytes; the limit is 500`),
          },
        },
        { id: 18, result: {} },
      ]);
      expect(refused).toEqual([{ method: undefined, bytes: long.length }]);
    },
  );

  it("turns a value that is too long into an exception of its script", () => {
    const { messages, delivered } = open({ maxAnswerBytes: 500 });
    const value = `\\"sessionId\\":\\"FF\\"}`.padStart(600, "x");
    feed(messages, `{"id":3,"result":{"result":{"type":"string","value":"${value}"}}}\0`, 64);
    expect(JSON.parse(delivered[0] ?? "")).toEqual({
      id: 3,
      result: {
        result: { type: "undefined" },
        exceptionDetails: expect.objectContaining({
          exception: expect.objectContaining({
            description: expect.stringMatching(/^RangeError: .*the limit is 500/),
          }),
        }),
      },
    });
  });

  it("drops console messages and other events above their own size limits", () => {
    const { messages, delivered, refused } = open({ maxLogEventBytes: 300, maxEventBytes: 900 });
    const loaded = (bytes: number): string =>
      `{"method":"Page.loaded","params":{"a":"${"y".repeat(bytes)}"}}`;
    feed(messages, [consoleEvent("x".repeat(400)), loaded(400), loaded(1_000), ""].join("\0"), 100);
    expect(delivered).toEqual([loaded(400)]);
    expect(refused.map(({ method }) => method)).toEqual([
      "Runtime.consoleAPICalled",
      "Page.loaded",
    ]);
  });

  it("drops console messages above the rate limit, and passes them again later", () => {
    let now = 0;
    const { messages, delivered } = open({ maxLogEventsPerSecond: 5 }, () => now);
    for (let at = 0; at < 100; at++) feed(messages, `${consoleEvent(String(at))}\0`, 4_096);
    expect(delivered).toHaveLength(50);
    now = 1_000;
    for (let at = 0; at < 100; at++) feed(messages, `${consoleEvent(String(at))}\0`, 4_096);
    expect(delivered).toHaveLength(55);
  });

  it("drops console messages above the byte rate limit", () => {
    const { messages, delivered } = open({ maxLogBytesPerSecond: 1_000 });
    for (let at = 0; at < 100; at++) feed(messages, `${consoleEvent("x".repeat(1_000))}\0`, 4_096);
    expect(delivered.length).toBe(9);
  });
});
