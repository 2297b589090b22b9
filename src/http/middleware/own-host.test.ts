import { describe, expect, it } from "vitest";
import { assertOwnHost, isForeignHost } from "./own-host.ts";

describe("the Host of requests that a rebound page could send", () => {
  it.each(["127.0.0.1:3002", "[::1]:3002", "localhost", "192.168.1.20:3002", "app.localhost:3002"])(
    "accepts the loopback name or address %s",
    (host) => {
      expect(isForeignHost(host, undefined)).toBe(false);
    },
  );

  it.each([
    "quarry:3002",
    "nas.local",
    "quarry.prod.svc.cluster.local",
    "box.home.arpa",
    "NAS.lan.",
  ])("accepts %s, which nobody can register", (host) => {
    expect(isForeignHost(host, undefined)).toBe(false);
  });

  it.each([
    "evil.example:3002",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example.",
    "user@evil.example",
    "",
    undefined,
  ])("refuses %s without a public URL", (host) => {
    expect(isForeignHost(host, undefined)).toBe(true);
  });

  it("accepts the name of the public URL with any port, and no other name of its domain", () => {
    const publicUrl = "https://Quarry.example/base/";
    expect(isForeignHost("quarry.example", publicUrl)).toBe(false);
    expect(isForeignHost("quarry.example:8443", publicUrl)).toBe(false);
    expect(isForeignHost("www.quarry.example", publicUrl)).toBe(true);
  });

  it("names the host and the setting that allows it", () => {
    expect(() => assertOwnHost("evil.example", undefined, "/mcp does not answer")).toThrow(
      /^\/mcp does not answer under the name "evil\.example".*QUARRY_PUBLIC_URL/,
    );
  });
});
