import { describe, expect, it } from "vitest";
import { createHostMemory } from "./host-memory.ts";

describe("the memory of hosts", () => {
  it("knows a host's folders apart and forgets after its time", () => {
    let now = 1_000;
    const memory = createHostMemory(() => now);
    memory.note(new URL("https://a.example/app/1"), "needed");
    expect(memory.recall(new URL("https://a.example/app/2"))).toBe("needed");
    expect(memory.recall(new URL("https://a.example/manual/1"))).toBeUndefined();
    expect(memory.recall(new URL("https://a.example/app"))).toBeUndefined();
    expect(memory.recall(new URL("https://b.example/app/1"))).toBeUndefined();
    memory.note(new URL("https://b.example/"), "useless");
    expect(memory.recall(new URL("https://b.example/other"))).toBe("useless");
    now += 11 * 60_000;
    expect(memory.recall(new URL("https://b.example/"))).toBeUndefined();
    expect(memory.recall(new URL("https://a.example/app/2"))).toBe("needed");
    now += 60 * 60_000;
    expect(memory.recall(new URL("https://a.example/app/2"))).toBeUndefined();
  });

  it("is bounded", () => {
    const memory = createHostMemory(() => 0);
    for (let number = 0; number < 6_000; number++)
      memory.note(new URL(`https://h${number}.example/`), "needed");
    expect(memory.recall(new URL("https://h0.example/"))).toBeUndefined();
    expect(memory.recall(new URL("https://h5999.example/"))).toBe("needed");
  });
});
