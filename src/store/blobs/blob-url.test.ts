import { describe, expect, it } from "vitest";
import { createBlobLinks } from "./blob-url.ts";

const ref = "ab".repeat(32);
const link = { ref, mimeType: "image/png", expiresAt: 2_000 };

function open(url: string): [string, Record<string, string>] {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  return [pathname.replace("/blobs/", ""), Object.fromEntries(searchParams)];
}

describe("signed blob link", () => {
  const links = createBlobLinks("secret");

  it("returns the signed values of a link until it expires", () => {
    const [name, query] = open(links.sign(link));
    expect(links.verify(name, query, 1_999)).toEqual(link);
    expect(links.verify(name, query, 2_000)).toBeUndefined();
  });

  it("rejects a link that was altered or signed with another secret", () => {
    const [name, query] = open(links.sign(link));
    expect(links.verify("cd".repeat(32), query, 1)).toBeUndefined();
    expect(links.verify(name, { ...query, expires: "9000" }, 1)).toBeUndefined();
    expect(links.verify(name, { ...query, type: "text/html" }, 1)).toBeUndefined();
    expect(links.verify(name, { ...query, signature: "" }, 1)).toBeUndefined();
    expect(links.verify(name, { ...query, signature: ["a"] }, 1)).toBeUndefined();
    expect(links.verify(name, {}, 1)).toBeUndefined();
    expect(createBlobLinks("other").verify(name, query, 1)).toBeUndefined();
  });

  it("rejects a link that does not name a blob", () => {
    const evil = { ...link, ref: "../../key" };
    expect(links.verify(evil.ref, open(links.sign(evil))[1], 1)).toBeUndefined();
  });
});
