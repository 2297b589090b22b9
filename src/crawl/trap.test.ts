import { describe, expect, it } from "vitest";
import { shapeOf, TrapBrake, TRAP_LIMITS, type TrapLimits } from "./trap.ts";

const at = (path: string): URL => new URL(path, "http://site.test");
const link = (path: string, parent = "/", parentChain = 0, isNext = false) => ({
  url: at(path),
  parent: at(parent),
  parentChain,
  isNext,
});

/** Follows `paths` one from the other; the first path that is held back, or undefined. */
function walk(paths: Iterable<string>, limits: TrapLimits = TRAP_LIMITS, isNext = false) {
  const brake = new TrapBrake(limits);
  let parent = "/";
  let chain = 0;
  for (const path of paths) {
    const verdict = brake.judge(link(path, parent, chain, isNext));
    if (verdict.reason !== undefined) return { path, reason: verdict.reason };
    parent = path;
    ({ chain } = verdict);
  }
  return undefined;
}

function* count(make: (number: number) => string, to: number): Generator<string> {
  for (let number = 1; number <= to; number++) yield make(number);
}

describe("the trap brake", () => {
  it("takes numbers out of a shape and nothing else", () => {
    expect(shapeOf(at("/a/12?b=3"))).toBe("site.test/a/#?b=#");
    expect(shapeOf(at("/a/x"))).not.toBe(shapeOf(at("/a/y")));
  });

  it("ends a calendar, whose days lead from one to the next", () => {
    const byPath = walk(count((day) => `/events/2031/${(day % 12) + 1}`, 200));
    expect(byPath?.reason).toContain("60 pages in a row");
    const byQuery = walk(count((day) => `/cal?month=${day}`, 200));
    expect(byQuery?.reason).toContain("60 pages in a row");
  });

  it("ends a chain of numbers later, and one of rel=next much later", () => {
    expect(walk(count((page) => `/trap/${page}`, 1_000))?.path).toBe("/trap/251");
    expect(
      walk(
        count((page) => `/list?page=${page}`, 1_000),
        TRAP_LIMITS,
        true,
      ),
    ).toBeUndefined();
  });

  it("lets a large flat site through: ten thousand pages found on a list are no chain", () => {
    const brake = new TrapBrake();
    for (const path of count((page) => `/articles/${page}`, 10_000))
      expect(brake.judge(link(path, "/list")).reason).toBeUndefined();
  });

  it("starts the chain anew where the shape changes", () => {
    const brake = new TrapBrake();
    expect(brake.judge(link("/a/2", "/a/1", 7)).chain).toBe(8);
    expect(brake.judge(link("/b/2", "/a/1", 7)).chain).toBe(0);
  });

  it("ends combinations of filters sooner than a single parameter", () => {
    const limits = { ...TRAP_LIMITS, queries: [100, 20, 5] };
    const filters = count((value) => `/shop?colour=${value}x&size=1&sort=2`, 50);
    const brake = new TrapBrake(limits);
    const held = [...filters].filter((path) => brake.judge(link(path)).reason !== undefined);
    expect(held).toHaveLength(45);
    const single = new TrapBrake(limits);
    const ids = [...count((value) => `/shop?id=${value}`, 50)];
    expect(ids.filter((path) => single.judge(link(path)).reason !== undefined)).toEqual([]);
  });

  it.each([
    ["/a/b".repeat(6), "more than 5 times"],
    [`/${Array.from({ length: 41 }, (_, part) => `p${part}`).join("/")}`, "more than 40 parts"],
    [`/${"x".repeat(5_000)}`, "longer than 4096"],
  ])("holds back paths that grow by themselves", (path, reason) => {
    expect(new TrapBrake().judge(link(path)).reason).toContain(reason);
  });
});
