import { describe, expect, it } from "vitest";
import {
  classifyAddress,
  formatAddress,
  isInCidr,
  parseAddress,
  parseCidr,
  parseIpv6,
} from "./address.ts";
import literals from "./address-literals.json" with { type: "json" };
import { parseHost } from "./host.ts";

const { notAnAddress, ...classes } = literals;

describe("address literals", () => {
  it("tests at least 150 spellings of addresses", () => {
    expect(Object.values(classes).flat().length).toBeGreaterThan(150);
  });

  it.each(Object.entries(classes).flatMap(([name, texts]) => texts.map((text) => [text, name])))(
    "classifies %s as %s",
    (text, expected) => {
      const host = parseHost(text ?? "");
      expect(host?.kind).toBe("address");
      if (host?.kind === "address") expect(classifyAddress(host.bytes)).toBe(expected);
    },
  );

  it.each(notAnAddress.map((text) => [text]))("does not parse %s as an address", (text) => {
    expect(parseAddress(text)).toBeUndefined();
    expect(parseHost(text)?.kind).not.toBe("address");
  });
});

describe("parseHost", () => {
  it("parses a host that ends in a number as an address or as invalid, never as a name", () => {
    expect(parseHost("example.256.0x")).toBeUndefined();
    expect(parseHost("1.2.3.4.5")).toBeUndefined();
    expect(parseHost("example.1a")?.kind).toBe("name");
  });
});

describe("CIDR ranges", () => {
  it("matches CIDR ranges by bits, not by text", () => {
    const range = parseCidr("10.1.2.3/15");
    expect(range && isInCidr(parseAddress("10.0.255.255")!, range)).toBe(true);
    expect(range && isInCidr(parseAddress("10.2.0.0")!, range)).toBe(false);
    expect(range && isInCidr(parseAddress("::ffff:10.1.2.3")!, range)).toBe(false);
  });

  it("rejects CIDR prefixes longer than the address", () => {
    expect(parseCidr("10.0.0.0/33")).toBeUndefined();
    expect(parseCidr("::/129")).toBeUndefined();
    expect(parseCidr("10.0.0.0/")).toBeUndefined();
    expect(parseCidr("host/8")).toBeUndefined();
  });
});

describe("formatAddress", () => {
  it.each([
    ["2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["::1", "::1"],
    ["fe80:0:0:0:0:0:0:0", "fe80::"],
    ["1:0:2:0:0:0:3:0", "1:0:2::3:0"],
    ["10:0:2:3:4:5:6:7", "10:0:2:3:4:5:6:7"],
  ])("formats %s as %s (RFC 5952)", (text, expected) => {
    expect(formatAddress(parseIpv6(text)!)).toBe(expected);
  });
});
