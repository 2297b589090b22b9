import { describe, expect, it } from "vitest";
import { findNextPage, isPagination } from "./pagination.ts";
import { toUrlIdentity } from "./run-scope.ts";

const link = (path: string, text = "", isNext = false) => ({
  url: new URL(path, "https://a.example/").href,
  text,
  isMain: true,
  isNext,
});
const next = (page: string, ...links: ReturnType<typeof link>[]): string | undefined =>
  findNextPage(links, new URL(page, "https://a.example/"), new Set())?.replace(
    "https://a.example",
    "",
  );

describe("the next page of a list", () => {
  it("finds the next page: the declared one, else the link labelled next, else the next number", () => {
    const numbered = link("/list?page=2", "2");
    expect(next("/list", numbered, link("/list?page=9", "9"))).toBe("/list?page=2");
    expect(next("/list", numbered, link("/list?cursor=xy", "Weiter ›"))).toBe("/list?cursor=xy");
    expect(next("/list", numbered, link("/list/more", "", true))).toBe("/list/more");
    expect(next("/list?page=2", link("/list?page=1", "1"), link("/list?page=3", "3"))).toBe(
      "/list?page=3",
    );
    expect(next("/list/page/2", link("/list/page/3", "3"))).toBe("/list/page/3");
    expect(
      next(
        "/list?start=20",
        link("/list?start=0", "1"),
        link("/list?start=60", "4"),
        link("/list?start=40", "3"),
      ),
    ).toBe("/list?start=40");
  });

  it("finds no next page on the last page, and never a visited page or one on another host", () => {
    expect(
      next("/list?page=3", link("/list?page=1", "1"), link("/list?page=2", "‹ previous")),
    ).toBeUndefined();
    expect(next("/list", link("https://b.example/list?page=2", "next"))).toBeUndefined();
    const links = [link("/list?page=2", "next")];
    const seen = new Set([toUrlIdentity(new URL("https://a.example/list?page=2"))]);
    expect(findNextPage(links, new URL("https://a.example/list"), seen)).toBeUndefined();
  });

  it("does not take an article link with a number or a longer label for the next page", () => {
    const page = new URL("https://a.example/news");
    expect(isPagination(link("/news/2024", "News of 2024"), page)).toBe(false);
    expect(isPagination(link("/about", "More about us"), page)).toBe(false);
    expect(isPagination(link("/news?page=2", "2"), page)).toBe(true);
  });
});
