import { describe, expect, it } from "vitest";
import { toErrorBody } from "./faults.ts";
import { scrapeRequestSchema } from "../page/scrape.ts";
import { findUrlFault, resolveUrl } from "./url.ts";

describe("requested URL", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["example.com", "http://example.com/"],
    ["example.com:8080/a?b#c", "http://example.com:8080/a?b#c"],
    ["//example.com/a", "http://example.com/a"],
    ["  https://example.com/a b ", "https://example.com/a%20b"],
    ["localhost:3000/x", "http://localhost:3000/x"],
    ["http://127.0.0.1:9", "http://127.0.0.1:9/"],
    ["http://[::1]:9/", "http://[::1]:9/"],
    ["HTTPS://EXAMPLE.COM", "https://example.com/"],
    ["https://例え.テスト/あ", "https://xn--r8jz45g.xn--zckzah/%E3%81%82"],
    ["https://example.com.", "https://example.com./"],
    ["http://user:secret@example.com/", "http://user:secret@example.com/"],
  ])("resolves the URL %s to %s", (text, absolute) => {
    expect(findUrlFault(text)).toBeUndefined();
    expect(resolveUrl(text)).toBe(absolute);
  });

  it.each([
    ["", "Invalid URL"],
    ["http://", "Invalid URL"],
    ["not a url", "Invalid URL"],
    ["http://exa mple.com", "Invalid URL"],
    ["ftp://example.com", "unsupported protocol"],
    ["file:///etc/passwd", "unsupported protocol"],
    ["mailto:a@example.com", "unsupported protocol"],
    ["javascript:alert(1)", "unsupported protocol"],
    ["data:text/html,a", "unsupported protocol"],
    ["nonsense", "top-level domain"],
    ["http://intranet/", "top-level domain"],
  ])("rejects the URL %s: %s", (text, fault) => {
    expect(findUrlFault(text)).toContain(fault);
    const result = scrapeRequestSchema.safeParse({ url: text });
    if (result.success) throw new Error("was taken");
    expect(toErrorBody(result.error).error).toContain(fault);
  });

  it("keeps the URL as written", () => {
    const url = "https://Example.com/?pagewanted=all&et_blog";
    expect(scrapeRequestSchema.parse({ url }).url).toBe(url);
  });
});
