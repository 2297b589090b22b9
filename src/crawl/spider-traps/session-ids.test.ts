import { describe, expect, it } from "vitest";
import { isMadeUp, stripSessionIds } from "./session-ids.ts";

const bare = (path: string) => stripSessionIds(new URL(path, "http://site.test"));

describe("withoutSession", () => {
  it.each([
    ["/a;jsessionid=0A1B2C3D4E?x=1", "site.test/a?x=1", "jsessionid"],
    ["/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "site.test/a.aspx", "session"],
    ["/a?PHPSESSID=f3b0c44298fc1c149afb&id=7", "site.test/a?id=7", "PHPSESSID"],
    ["/a?id=7&sid=1234567890", "site.test/a?id=7", "sid"],
    ["/a?utm_source=x&utm_medium=y", "site.test/a?", "utm_medium"],
    ["/a?b=1&fbclid=Iw", "site.test/a?b=1", "fbclid"],
  ])("strips session ids and tracking parameters from %s", (path, url, name) => {
    expect(bare(path)).toEqual({ url, name });
  });

  it.each([
    "/a",
    "/a?id=3f2a91c0b7d4",
    "/talk?session=12",
    "/a?sid=3",
    "/a?session=morning",
    "/a;v=1",
  ])("finds no session id in %s", (path) => {
    expect(bare(path)).toBeUndefined();
  });
});

describe("isMadeUp", () => {
  it.each(["a1b2c3", "3f2a91c0b7d4", "550e8400e29b41d4a716", "x9k2m4pq"])(
    'recognizes "%s" as a generated id',
    (text) => {
      expect(isMadeUp(text)).toBe(true);
    },
  );
  it.each(["iphone15", "mp3", "2024", "deadbeef", "chapter12", "h264", "v2", "covid19"])(
    'does not take "%s" for a generated id',
    (text) => {
      expect(isMadeUp(text)).toBe(false);
    },
  );
});
