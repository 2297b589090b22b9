import { describe, expect, it } from "vitest";
import { Deadline } from "../deadline.ts";
import { Joiner } from "./joiner.ts";

describe("Joiner", () => {
  it("returns the same result to joined requests, and separate ones to the others", async () => {
    const joiner = new Joiner<object>(10_000);
    using deadline = Deadline.start(10_000);
    using short = Deadline.start(20);
    const { promise, resolve } = Promise.withResolvers<object>();
    const alone = joiner.join("alone", deadline, async () => ({}));
    const first = joiner.join("shared", deadline, async () => promise);
    const second = joiner.join("shared", deadline, async () => ({}));
    const left = joiner.join("left", deadline, async () => promise);
    await expect(joiner.join("left", short, async () => ({}))).rejects.toMatchObject({
      code: "SCRAPE_TIMEOUT",
    });
    const result = {};
    resolve(result);
    expect([await first, await second, await left].every((one) => one === result)).toBe(true);
    expect(await alone).not.toBe(result);
    expect(await joiner.join("shared", deadline, async () => ({}))).not.toBe(result);
  });
});
