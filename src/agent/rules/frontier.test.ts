import { describe, expect, it } from "vitest";
import { toUrlForm, WalkFrontier, type Lead } from "./frontier.ts";

const lead = (path: string, fields: Partial<Lead> = {}): Lead => ({
  url: `http://a.example${path}`,
  text: path,
  depth: 1,
  role: "link",
  isMain: true,
  context: "",
  isBelow: false,
  ...fields,
});
const paths = (leads: readonly Lead[]): string[] => leads.map(({ url }) => new URL(url).pathname);

describe("walk frontier", () => {
  it("takes links with words of the prompt first and pages about the site itself last", () => {
    const frontier = new WalkFrontier(["staff", "phone"]);
    for (const path of ["/privacy", "/news", "/staff-members", "/x"]) frontier.add(lead(path));
    frontier.add(lead("/y", { text: "Telephone list of our staff" }));
    expect(paths(frontier.take(2, -99)).toSorted()).toEqual(["/staff-members", "/y"]);
    expect(paths(frontier.take(9, -99)).at(-1)).toBe("/privacy");
    expect(frontier.size).toBe(0);
  });

  it("queues each page once and upgrades a link to the page of a row", () => {
    const frontier = new WalkFrontier([]);
    expect(frontier.add(lead("/people/ada"))).toBe(true);
    expect(frontier.add(lead("/people/ada/", { role: "row", rows: [{ list: 0, index: 3 }] }))).toBe(
      false,
    );
    frontier.add(lead("/other"));
    const [first] = frontier.take(1, -99);
    expect(first).toMatchObject({ role: "row", rows: [{ list: 0, index: 3 }] });
    expect(frontier.add(lead("/people/ada"))).toBe(false);
  });

  it("prefers URL patterns that brought results", () => {
    const frontier = new WalkFrontier([]);
    for (const n of [1, 2, 3]) {
      frontier.learn(`http://a.example/blog/${n}`, 0);
      frontier.learn(`http://a.example/people/${n}`, 1);
    }
    frontier.add(lead("/blog/9"));
    frontier.add(lead("/people/9"));
    expect(paths(frontier.take(9, 0))).toEqual(["/people/9"]);
  });

  it("replaces the variable parts of a URL with wildcards", () => {
    expect(toUrlForm("http://a.example/p/2024/05/x?b=1&a=2")).toBe("a.example/p/*/*/*?a&b");
  });

  it("takes ?page=1 for the first page of a list", () => {
    const frontier = new WalkFrontier([]);
    expect(frontier.add(lead("/list"))).toBe(true);
    expect(frontier.add(lead("/list?page=1"))).toBe(false);
    expect(frontier.add(lead("/list?sort=name&page=1"))).toBe(true);
    expect(frontier.add(lead("/list?page=2"))).toBe(true);
    expect(frontier.add(lead("/list/page/1"))).toBe(false);
    expect(frontier.add(lead("/list/page/1/"))).toBe(false);
    expect(frontier.add(lead("/list/page/11"))).toBe(true);
    expect(frontier.add(lead("/page/1"))).toBe(true);
    expect(frontier.add(lead("/"))).toBe(false);
  });

  it("takes the next page of a list before other links, also where it had no rows", () => {
    const frontier = new WalkFrontier([]);
    frontier.add(lead("/about"));
    frontier.add(lead("/list?page=2", { role: "page", depth: 0 }));
    expect(paths(frontier.take(1, -3))).toEqual(["/list"]);
  });

  it("does not treat list pages as barren when their children brought rows", () => {
    const read = (isCredited: boolean): string[] => {
      const frontier = new WalkFrontier([]);
      for (const page of [2, 3, 4]) {
        frontier.learn(`http://a.example/list?page=${page}`, 0);
        const from = isCredited ? { from: `http://a.example/list?page=${page}` } : {};
        frontier.learn(`http://a.example/things/${page}/x`, 1, from.from);
      }
      frontier.add(lead("/list?page=5"));
      frontier.add(lead("/other"));
      return paths(frontier.take(1, -99));
    };
    expect(read(false)).toEqual(["/other"]);
    expect(read(true)).toEqual(["/list"]);
  });
});
