import { describe, expect, it } from "vitest";
import { isAdHost } from "./ad-hosts.ts";

describe("isAdHost", () => {
  it("knows a domain and everything below it, and nothing that only looks like it", () => {
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
