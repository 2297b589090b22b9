import { describe, expect, it } from "vitest";
import { createHostMemory } from "./host-memory.ts";

const app = new URL("https://a.example/app/2");
const root = new URL("https://b.example/");

describe("host memory", () => {
  it("tracks folders of a host separately and forgets after the TTL", () => {
    let now = 1_000;
    const memory = createHostMemory(() => now);
    memory.noteNeeded(new URL("https://a.example/app/1"));
    expect(memory.needsBrowser(app)).toBe(true);
    expect(memory.needsBrowser(new URL("https://a.example/manual/1"))).toBe(false);
    expect(memory.needsBrowser(new URL("https://a.example/app"))).toBe(false);
    expect(memory.needsBrowser(new URL("https://b.example/app/1"))).toBe(false);
    memory.noteUseless(root, "blocked");
    expect(memory.isBrowserUseless(new URL("https://b.example/other"), "blocked")).toBe(true);
    now += 11 * 60_000;
    expect(memory.isBrowserUseless(root, "blocked")).toBe(false);
    expect(memory.needsBrowser(app)).toBe(true);
    now += 60 * 60_000;
    expect(memory.needsBrowser(app)).toBe(false);
  });

  it("records for which verdicts a browser did not help", () => {
    const memory = createHostMemory(() => 0);
    memory.noteNeeded(root);
    memory.noteUseless(root, "blocked");
    expect(memory.isBrowserUseless(root, "empty_shell")).toBe(false);
    expect(memory.needsBrowser(root)).toBe(false);
  });

  it("keeps the number of hosts bounded", () => {
    const memory = createHostMemory(() => 0);
    for (let number = 0; number < 6_000; number++)
      memory.noteNeeded(new URL(`https://h${number}.example/`));
    expect(memory.needsBrowser(new URL("https://h0.example/"))).toBe(false);
    expect(memory.needsBrowser(new URL("https://h5999.example/"))).toBe(true);
  });
});
