import { describe, expect, it } from "vitest";
import { CookieJar } from "./http-cookies.ts";

const NOW = Date.UTC(2030, 0, 1);

/** The Cookie header for `to` after `from` set the cookies. */
function sent(
  from: string,
  cookies: string | string[],
  to: string,
  own?: string,
): string | undefined {
  const jar = new CookieJar();
  for (const cookie of [cookies].flat()) jar.store(new URL(from), cookie, NOW);
  return jar.buildHeader(new URL(to), own);
}

describe("cookie jar (RFC 6265)", () => {
  it.each([
    ["https://a.example/", "x=1", "https://a.example/b", "x=1"],
    ["https://a.example/", "x=1", "https://b.example/", undefined],
    ["https://a.example/", "x=1", "https://sub.a.example/", undefined],
    ["https://a.example/", "x=1; Domain=a.example", "https://sub.a.example/", "x=1"],
    ["https://a.example/", "x=1; Domain=.A.Example", "https://sub.a.example/", "x=1"],
    ["https://a.example/", "x=1; Domain=b.example", "https://b.example/", undefined],
    ["https://sub.a.example/", "x=1; Domain=a.example", "https://a.example/", "x=1"],
    ["https://a.co.uk/", "x=1; Domain=co.uk", "https://b.co.uk/", undefined],
    ["https://a.github.io/", "x=1; Domain=github.io", "https://b.github.io/", undefined],
    ["https://evil-a.example/", "x=1; Domain=a.example", "https://a.example/", undefined],
    ["http://127.0.0.1/", "x=1; Domain=127.0.0.1", "http://127.0.0.1/", "x=1"],
    ["http://[::1]/", "x=1", "http://[::1]/", "x=1"],
    ["https://a.example/%E0%A4%A", "x=1", "https://a.example/%zz", "x=1"],
    ["http://localhost/", "x=1", "http://localhost/", "x=1"],
    ["https://com/", "x=1", "https://com/", "x=1"],
    ["http://10.0.0.1/", "x=1; Domain=0.0.1", "http://9.0.0.1/", undefined],
    ["https://a.example/dir/page", "x=1", "https://a.example/dir/other", "x=1"],
    ["https://a.example/dir/page", "x=1", "https://a.example/", undefined],
    ["https://a.example/", "x=1; Path=/dir", "https://a.example/directory", undefined],
    ["https://a.example/", "x=1; Path=/dir", "https://a.example/dir/x", "x=1"],
    ["https://a.example/", "x=1; Secure", "http://a.example/", undefined],
    ["http://a.example/", "x=1; Secure", "https://a.example/", undefined],
    ["https://a.example/", "x=1; Max-Age=0", "https://a.example/", undefined],
    [
      "https://a.example/",
      "x=1; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "https://a.example/",
      "x=1",
    ],
    [
      "https://a.example/",
      "x=1; Expires=Thu, 01-Jan-1970 00:00:00 GMT",
      "https://a.example/",
      undefined,
    ],
    [
      "https://a.example/",
      "x=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
      "https://a.example/",
      "x=1",
    ],
    ["https://a.example/", "__Host-x=1; Path=/", "https://a.example/", undefined],
    ["https://a.example/", "__Host-x=1; Path=/; Secure", "https://a.example/", "__Host-x=1"],
    ["https://a.example/", "__Secure-x=1", "https://a.example/", undefined],
    ["https://a.example/", "x=1\r\nY: 2", "https://a.example/", undefined],
    ["https://a.example/", "=1", "https://a.example/", undefined],
    ["https://a.example/", `x=${"1".repeat(5_000)}`, "https://a.example/", undefined],
    ["https://a.example/", ' x = "a b" ; HttpOnly', "https://a.example/", 'x="a b"'],
  ])("a cookie that %s sets as %s is sent to %s as %s", (from, cookie, to, expected) => {
    expect(sent(from, cookie, to)).toBe(expected);
  });

  it("replaces and removes cookies and orders them by path", () => {
    const site = "https://a.example/";
    expect(sent(site, ["x=1", "x=2"], site)).toBe("x=2");
    expect(sent(site, ["x=1", "x=; Max-Age=-1"], site)).toBeUndefined();
    expect(sent(site, ["a=1", "b=2; Path=/long/path"], "https://a.example/long/path")).toBe(
      "b=2; a=1",
    );
  });

  it("puts the caller's own cookies first unless the site has replaced them", () => {
    const site = "https://a.example/";
    expect(sent(site, "x=new", site, "own=1; x=old")).toBe("own=1; x=new");
    expect(sent(site, [], site, "own=1")).toBe("own=1");
  });

  it("limits the number of cookies", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `c${index}=1`);
    expect(sent("https://a.example/", many, "https://a.example/")?.split(";")).toHaveLength(180);
  });
});
