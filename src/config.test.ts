import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig, findUnknownSettings } from "./config.ts";

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig({}, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n  ").slice(1);
    throw error;
  }
  return [];
}

describe("settings", () => {
  it("accepts an empty environment with empty lists", () => {
    expect(loadConfig({}, {})).toMatchObject({ port: 3002, egressAllow: [], proxyBasic: [] });
    expect(loadConfig({}, {}).databaseUrl).toBeUndefined();
  });

  it("finds misspelled settings", () => {
    const environment = { QUARRY_DATADIR: "x", QUARRY_DATA_DIR: "y", PATH: "z" };
    expect(findUnknownSettings(environment)).toEqual(["QUARRY_DATADIR"]);
  });

  it("reports every invalid setting at once by variable and reason", () => {
    expect(
      faultsOf({
        QUARRY_HOST: "0.0.0.0",
        QUARRY_PORT: "abc",
        QUARRY_ROLE: "worker",
        QUARRY_AUTH: "false",
        QUARRY_TRUST_PROXY: "yes",
        QUARRY_LOG_LEVEL: "loud",
        DATABASE_URL: "mysql://user:hidden@db/quarry",
        QUARRY_EGRESS_ALLOW: "10.0.0.0/8, http://inside/",
        QUARRY_PROXY_BASIC: "ftp://name:hidden@proxy:1",
      }),
    ).toEqual([
      'QUARRY_PORT: must be a whole number from 0 to 65535, not "abc"',
      'QUARRY_TRUST_PROXY: must be true or false, not "yes"',
      'QUARRY_LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      "DATABASE_URL: must start with postgres:// or postgresql://",
      'QUARRY_EGRESS_ALLOW: "http://inside/" is not a host, host:port, *.domain, address or CIDR',
      "QUARRY_PROXY_BASIC: a proxy must be http://, https://, socks5:// or socks5h://HOST:PORT",
      expect.stringMatching(/^QUARRY_HOST: .* not on 0\.0\.0\.0/),
      expect.stringMatching(/^QUARRY_ROLE: worker is one of several processes/),
    ]);
  });

  it.each(["65536", "-1", "1.5", "1e3", "0x10"])("rejects the port %s", (port) => {
    expect(faultsOf({ QUARRY_PORT: port })).toEqual([
      `QUARRY_PORT: must be a whole number from 0 to 65535, not "${port}"`,
    ]);
  });

  it.each(["http:x", "//x", "ftp://x", "http://", "ht\ntp://x", "none"])(
    "rejects %j as a URL",
    (address) => {
      expect(faultsOf({ QUARRY_PUBLIC_URL: address })).toEqual([
        "QUARRY_PUBLIC_URL: must be an http:// or https:// address",
      ]);
    },
  );

  it("keeps a URL as given, without characters that its parser drops", () => {
    expect(loadConfig({}, { QUARRY_PUBLIC_URL: " HTTPS://a.example/x\ty " }).publicUrl).toBe(
      "HTTPS://a.example/xy",
    );
  });

  it("rejects an overlong user agent and accepts secrets that must not be printed", () => {
    const long = "x".repeat(501);
    expect(faultsOf({ QUARRY_USER_AGENT: long })).toEqual([
      "QUARRY_USER_AGENT: must be at most 500 characters",
    ]);
    const { databaseUrl } = loadConfig({}, { DATABASE_URL: "postgres://user:hidden@db/quarry" });
    expect(JSON.stringify(databaseUrl)).toBe('"***"');
    expect(databaseUrl?.reveal()).toBe("postgres://user:hidden@db/quarry");
  });

  it.each([
    "localhost",
    "printer:8080",
    "*.inside.example",
    "*.inside.example:80",
    "bücher.example",
    "10.0.0.1",
    "10.0.0.1:80",
    "10.0.0.0/8",
    "10.0.0.0/8:8080",
    "::1",
    "fd00::/8",
    "[::1]",
    "[::1]:8080",
    "[fd00::]/8",
    "[fd00::]/8:443",
  ])("accepts the allow-list entry %s", (entry) => {
    expect(faultsOf({ QUARRY_EGRESS_ALLOW: entry })).toEqual([]);
  });

  it.each([
    "http://a",
    "a b",
    "a/b",
    "a:b",
    "a:65536",
    "10.0.0.0/33",
    "*",
    "a.*.b",
    "user@a",
    "[::1",
  ])("rejects the allow-list entry %s", (entry) => {
    expect(faultsOf({ QUARRY_EGRESS_ALLOW: entry })).toHaveLength(1);
  });
});
