import { describe, expect, it } from "vitest";
import { SpiderTrapDetector, TRAP_LIMITS } from "./spider-trap-detector.ts";

const at = (path: string): URL => new URL(path, "http://site.test");
const link = (path: string, parent = "/", parentChain = 0) => ({
  url: at(path),
  parent: at(parent),
  parentChain,
});
const body = (text: string): Buffer => Buffer.from(`<title>x</title><p>${text}</p>`);

/** A detector that has learned this many pages of `/list?page=N`. */
function learned(count: number, text: (number: number) => string): SpiderTrapDetector {
  const trapDetector = new SpiderTrapDetector();
  for (let number = 1; number <= count; number++)
    trapDetector.learn(at(`/list?page=${number}`), number, body(text(number)));
  return trapDetector;
}

describe("spider-trap detector", () => {
  it("counts consecutive pages of one group and restarts when the group changes", () => {
    const trapDetector = new SpiderTrapDetector();
    expect(trapDetector.judge(link("/a/2", "/a/1", 7)).chain).toBe(8);
    expect(trapDetector.judge(link("/b/2", "/a/1", 7)).chain).toBe(0);
  });

  it("ends a chain of pages at its limit even when all are new", () => {
    const { chain } = TRAP_LIMITS;
    const trapDetector = new SpiderTrapDetector();
    expect(trapDetector.judge(link("/a/2", "/a/1", chain - 2)).reason).toBeUndefined();
    expect(trapDetector.judge(link("/a/3", "/a/2", chain - 1)).reason).toContain(
      `${chain} pages of`,
    );
  });

  it("holds back links of pages that repeat each other and names those pages", () => {
    const trapDetector = learned(60, () => "no entries");
    const reason = "40 of the last 40 pages of site.test/list?page brought nothing new";
    expect(trapDetector.judge(link("/list?page=61", "/list?page=60", 60)).reason).toBe(reason);
    expect(trapDetector.check(at("/list?page=62"), 61)).toBe(reason);
    expect(trapDetector.drain()).toEqual(["site.test/list?page"]);
    expect(trapDetector.drain()).toEqual([]);
  });

  it("lets through URLs linked from other pages or other groups", () => {
    const trapDetector = learned(60, () => "no entries");
    expect(trapDetector.judge(link("/list?page=61", "/menu")).reason).toBeUndefined();
    expect(trapDetector.check(at("/list?page=62"), 0)).toBeUndefined();
    expect(trapDetector.judge(link("/other?page=61", "/other?page=60", 60)).reason).toBeUndefined();
  });

  it("lets through groups of URLs with too few pages, with some new pages, or that differ only by a number", () => {
    for (const trapDetector of [
      learned(TRAP_LIMITS.recent - 1, () => "no entries"),
      learned(60, (number) => (number % 5 === 0 ? `entry ${"x".repeat(number)}` : "no entries")),
      learned(60, (number) => `page ${number}`),
    ])
      expect(trapDetector.judge(link("/list?page=61", "/list?page=60", 60)).reason).toBeUndefined();
  });

  it("lets a group of URLs continue when its pages bring something new again", () => {
    const trapDetector = learned(60, () => "no entries");
    for (let number = 61; number < 200; number++)
      trapDetector.learn(at(`/list?page=${number}`), number, body(`page ${number}`));
    expect(trapDetector.check(at("/list?page=200"), 200)).toBeUndefined();
  });

  it("lets through only the first of URLs that differ by session id", () => {
    const trapDetector = new SpiderTrapDetector();
    const judge = (path: string) => trapDetector.judge(link(path)).reason;
    expect(judge("/a?sid=3f2a91c0b7d4&id=1")).toBeUndefined();
    expect(judge("/a?sid=3f2a91c0b7d4&id=2")).toBeUndefined();
    expect(judge("/a?id=1&sid=aa2a91c0b7d4")).toBe(
      "differs from a URL that was found before by sid only",
    );
    expect(judge("/a?sid=3f2a91c0b7d4&id=1")).toBeUndefined();
  });

  it.each([
    ["/a/b".repeat(6), "more than 5 times"],
    [`/${Array.from({ length: 41 }, (_, part) => `p${part}`).join("/")}`, "more than 40 parts"],
    [`/${"x".repeat(5_000)}`, "longer than 4096"],
  ])("holds back paths that grow without end", (path, reason) => {
    expect(new SpiderTrapDetector().judge(link(path)).reason).toContain(reason);
  });

  it("bounds the memory of the detector", () => {
    const trapDetector = new SpiderTrapDetector();
    const before = process.memoryUsage().heapUsed;
    for (let number = 0; number < 100_000; number++) {
      const path = `/${number.toString(36)}x/${(number * 7_919).toString(36)}/p?q=${number}`;
      trapDetector.judge(link(path));
      trapDetector.learn(at(path), 1, body(`word ${path}`));
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  });
});
