import { describe, expect, it } from "vitest";
import { Deadline } from "../deadline.ts";
import { Joiner } from "./join.ts";

describe("Joiner", () => {
  it("joined requests are told whether another one shares the result or has given up", async () => {
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
    resolve({});
    expect((await alone).isShared).toBe(false);
    expect((await first).result).toBe((await second).result);
    expect([(await first).isShared, (await second).isShared]).toEqual([true, true]);
    expect((await left).isShared).toBe(true);
    expect((await joiner.join("shared", deadline, async () => ({}))).isShared).toBe(false);
  });
});
