import { describe, expect, it } from "vitest";
import { selectProcessesToEnd, computeNextCheckMs } from "./memory-watch.ts";

const renderer = (id: number, bytes: number) => ({ id, type: "renderer", bytes });

describe("selectProcessesToEnd", () => {
  const limits = { maxPageBytes: 100, maxTotalBytes: 150 };

  it("ends nothing while every page and the total are within limits", () => {
    expect(selectProcessesToEnd([renderer(1, 100), renderer(2, 50)], limits)).toEqual([]);
  });

  it("ends every renderer above the page limit and excludes it from the total", () => {
    expect(
      selectProcessesToEnd([renderer(1, 101), renderer(2, 500), renderer(3, 90)], limits),
    ).toEqual([
      { pid: 1, limit: "page" },
      { pid: 2, limit: "page" },
    ]);
  });

  it("ends the largest renderers first until the rest fits", () => {
    const pages = [renderer(1, 60), renderer(2, 90), renderer(3, 30), renderer(4, 80)];
    expect(selectProcessesToEnd(pages, limits)).toEqual([
      { pid: 2, limit: "total" },
      { pid: 4, limit: "total" },
    ]);
  });

  it("counts the browser process, and ends it only if it is too large alone", () => {
    const browser = (bytes: number) => ({ id: 9, type: "browser", bytes });
    expect(selectProcessesToEnd([browser(100), renderer(1, 40), renderer(2, 30)], limits)).toEqual([
      { pid: 1, limit: "total" },
    ]);
    expect(selectProcessesToEnd([browser(101), renderer(1, 40)], limits)).toEqual([
      { pid: 9, limit: "page" },
    ]);
  });
});

describe("computeNextCheckMs", () => {
  it("returns half the time until the limit at the current growth, between 30 and 500 ms", () => {
    expect(computeNextCheckMs(4e6, 4e8)).toBe(50);
    expect(computeNextCheckMs(1e7, 1e6)).toBe(30);
    expect(computeNextCheckMs(4e6, 1e12)).toBe(500);
  });

  it("assumes sudden growth for a page with stable memory", () => {
    expect(computeNextCheckMs(0, 1e9)).toBe(250);
    expect(computeNextCheckMs(-5, 1e9)).toBe(250);
    expect(computeNextCheckMs(0, 1e10)).toBe(500);
  });
});
