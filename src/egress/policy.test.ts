import { describe, expect, it } from "vitest";
import { ConfigError } from "../config.ts";
import { parseAddress } from "../url/address.ts";
import { parseHost } from "../url/host.ts";
import { createEgressPolicy } from "./policy.ts";

const judge = (
  allow: string[],
  host: string,
  port: number,
  address = host,
  allowMetadata = false,
) =>
  createEgressPolicy({ allow, allowMetadata }).judge(
    parseHost(host)!,
    port,
    parseAddress(address)!,
  );

describe("egress policy", () => {
  it("allows only public addresses with an empty allow-list", () => {
    expect(judge([], "example.com", 443, "93.184.216.34").allowed).toBe(true);
    expect(judge([], "example.com", 443, "10.0.0.1").allowed).toBe(false);
    expect(judge([], "localhost", 80, "93.184.216.34").allowed).toBe(false);
  });

  it.each([
    ["intranet.example", "intranet.example", 80, "10.0.0.1", true],
    ["intranet.example", "other.example", 80, "10.0.0.1", false],
    ["intranet.example", "a.intranet.example", 80, "10.0.0.1", false],
    ["Intranet.Example.", "intranet.example", 80, "10.0.0.1", true],
    ["intranet.example:8080", "intranet.example", 8080, "10.0.0.1", true],
    ["intranet.example:8080", "intranet.example", 80, "10.0.0.1", false],
    ["*.corp.example", "a.b.corp.example", 80, "10.0.0.1", true],
    ["*.corp.example", "corp.example", 80, "10.0.0.1", false],
    ["*.corp.example", "evilcorp.example", 80, "10.0.0.1", false],
    ["10.0.0.0/8", "any.example", 80, "10.9.9.9", true],
    ["10.0.0.0/8", "any.example", 80, "11.9.9.9", true],
    ["10.0.0.0/8", "any.example", 80, "192.168.0.1", false],
    ["10.0.0.0/8:8080", "any.example", 80, "10.9.9.9", false],
    ["127.0.0.1:3000", "127.0.0.1", 3000, "127.0.0.1", true],
    ["127.0.0.1:3000", "127.0.0.1", 3001, "127.0.0.1", false],
    ["[::1]:3000", "[::1]", 3000, "::1", true],
    ["::1", "[::1]", 3000, "::1", true],
    ["fd00::/8", "any.example", 80, "fd12::1", true],
    ["127.0.0.1", "x.example", 80, "::ffff:127.0.0.1", false],
  ])(
    "applies the entry %s to %s:%i at %s with the result %s",
    (entry, host, port, address, allowed) => {
      expect(judge([entry], host, port, address).allowed).toBe(allowed);
    },
  );

  it("keeps metadata addresses closed unless the second setting is on", () => {
    for (const allow of [
      ["169.254.169.254"],
      ["0.0.0.0/0"],
      ["meta.example"],
      ["169.254.0.0/16"],
    ]) {
      expect(judge(allow, "meta.example", 80, "169.254.169.254").allowed).toBe(false);
    }
    expect(judge(["::/0"], "x.example", 80, "fd00:ec2::254").allowed).toBe(false);
    expect(judge(["::/0"], "x.example", 80, "::ffff:169.254.169.254").allowed).toBe(false);
    expect(judge(["meta.example"], "meta.example", 80, "169.254.169.254", true).allowed).toBe(true);
    expect(judge([], "meta.example", 80, "169.254.169.254", true).allowed).toBe(false);
  });

  it("explains a decision with the entry that allowed it", () => {
    expect(judge(["10.0.0.0/8"], "a.example", 80, "10.0.0.1").reason).toBe(
      '10.0.0.1 is a private address, opened by the entry "10.0.0.0/8"',
    );
    expect(judge([], "a.example", 80, "::1").reason).toContain("::1 is a loopback address");
  });

  it("closes non-HTTP ports unless an entry names them", () => {
    const host = parseHost("a.example")!;
    const policy = (allow: string[]) => createEgressPolicy({ allow, allowMetadata: false });
    expect(policy([]).judgePort(host, 25)).toContain("25");
    expect(policy(["a.example"]).judgePort(host, 25)).toContain("25");
    expect(policy(["a.example:25"]).judgePort(host, 25)).toBeUndefined();
    expect(policy([]).judgePort(host, 8080)).toBeUndefined();
  });

  it.each(["", "*", "*.", "a b", "10.0.0.0/99", "host:99999", "http://host", "1.2.3.4.5"])(
    "refuses to start with the entry %j",
    (entry) => {
      expect(() => createEgressPolicy({ allow: [entry], allowMetadata: false })).toThrow(
        ConfigError,
      );
    },
  );
});
