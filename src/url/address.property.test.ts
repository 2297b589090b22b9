import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { classifyAddress, formatAddress, parseAddress, type AddressClass } from "./address.ts";

const octets = fc.uint8Array({ minLength: 4, maxLength: 4 });
const interesting = fc
  .tuple(
    fc.constantFrom("0000", "64ff", "2001", "2002", "fc00", "fd00", "fe80", "ff02", "2606", "3fff"),
    fc.uint8Array({ minLength: 14, maxLength: 14 }),
    fc.integer({ min: 0, max: 14 }),
  )
  .map(([prefix, rest, zeros]) =>
    Uint8Array.from([...Buffer.from(prefix, "hex"), ...rest.fill(0, 0, zeros)]),
  );
const sixteen = fc.oneof(fc.uint8Array({ minLength: 16, maxLength: 16 }), interesting);

/** Formats one part of an address in a base with leading zeros. */
const spell = (value: number, base: number, zeros: number): string =>
  base === 16
    ? `0x${"0".repeat(zeros)}${value.toString(16)}`
    : base === 8
      ? `0${"0".repeat(zeros)}${value.toString(8)}`
      : String(value);

const spelledIpv4 = fc
  .tuple(
    octets,
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.tuple(fc.constantFrom(8, 10, 16), fc.nat(3)), { minLength: 4, maxLength: 4 }),
  )
  .map(([bytes, parts, spellings]) => {
    const values = Array.from(bytes.subarray(0, parts - 1));
    values.push(bytes.subarray(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0));
    const text = values
      .map((value, index) => spell(value, ...(spellings[index] ?? [10, 0])))
      .join(".");
    return { bytes, text };
  });

/** Maps ipaddr.js ranges to our classes. */
const IPADDR_CLASSES: Record<string, AddressClass> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  linkLocal: "linkLocal",
  carrierGradeNat: "carrierGrade",
  multicast: "multicast",
  broadcast: "broadcast",
  unspecified: "unspecified",
};

describe("parseAddress and formatAddress", () => {
  it("parses any spelling of an IPv4 address as ipaddr.js and the WHATWG URL parser do", () => {
    fc.assert(
      fc.property(spelledIpv4, ({ bytes, text }) => {
        expect(parseAddress(text)).toEqual(bytes);
        expect(new URL(`http://${text}/`).hostname).toBe(bytes.join("."));
        expect(ipaddr.IPv4.parse(text).toByteArray()).toEqual([...bytes]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("parses IPv6 as ipaddr.js does, and formats it as RFC 5952 requires", () => {
    fc.assert(
      fc.property(sixteen, (bytes) => {
        const other = ipaddr.fromByteArray([...bytes]) as ipaddr.IPv6;
        expect(parseAddress(other.toNormalizedString())).toEqual(bytes);
        expect(formatAddress(bytes)).toBe(other.toRFC5952String());
        expect(parseAddress(formatAddress(bytes))).toEqual(bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it("accepts exactly the addresses that the URL parser accepts", () => {
    const junk = fc.string({
      unit: fc.constantFrom("0", "1", "2", "9", "a", "f", "x", ".", ":", "::"),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(junk, (text) => {
        const v6 = URL.canParse(`http://[${text}]/`);
        expect(parseAddress(`[${text}]`) !== undefined).toBe(v6);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("classifyAddress", () => {
  it("agrees with ipaddr.js on IPv4", () => {
    fc.assert(
      fc.property(octets, (bytes) => {
        const ours = classifyAddress(bytes);
        const theirs = ipaddr.fromByteArray([...bytes]).range();
        if (ours === "public") expect(["unicast", "as112"]).toContain(theirs);
        else if (ours !== "metadata" && theirs in IPADDR_CLASSES) {
          expect(ours).toBe(theirs === "unspecified" ? "unspecified" : IPADDR_CLASSES[theirs]);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("agrees with ipaddr.js on IPv6", () => {
    fc.assert(
      fc.property(sixteen, (bytes) => {
        if (classifyAddress(bytes) !== "public") return;
        const theirs = ipaddr.fromByteArray([...bytes]) as ipaddr.IPv6;
        const range = theirs.range();
        if (range === "ipv4Mapped") expect(theirs.toIPv4Address().range()).toBe("unicast");
        else expect(["unicast", "rfc6052", "as112v6"]).toContain(range);
      }),
      { numRuns: 5_000 },
    );
  });

  it("never calls a private IPv4 address public in any IPv6 form", () => {
    const carriers = [
      (v4: string) => `::ffff:${v4}`,
      (v4: string) => `::${v4}`,
      (v4: string) => `::ffff:0:${v4}`,
      (v4: string) => `64:ff9b::${v4}`,
      (v4: string) => `64:ff9b:1::${v4}`,
    ];
    fc.assert(
      fc.property(octets, fc.constantFrom(...carriers), (bytes, carry) => {
        const inside = classifyAddress(bytes);
        const outside = classifyAddress(parseAddress(carry(bytes.join(".")))!);
        if (inside !== "public") expect(outside).not.toBe("public");
      }),
      { numRuns: 2_000 },
    );
  });
});
