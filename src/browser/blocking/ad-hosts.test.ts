import { describe, expect, it } from "vitest";
import { isAdHost } from "./ad-hosts.ts";

describe("isAdHost", () => {
  it("matches a domain and its subdomains, and nothing that only looks similar", () => {
    for (const host of [
      "doubleclick.net",
      "stats.g.doubleclick.net",
      "WWW.Google-Analytics.com",
      "taboola.com.",
    ])
      expect(isAdHost(host), host).toBe(true);
    for (const host of [
      "notdoubleclick.net",
      "doubleclick.net.example",
      "net",
      "",
      "127.0.0.1",
      "example.com",
    ])
      expect(isAdHost(host), host).toBe(false);
  });
});
