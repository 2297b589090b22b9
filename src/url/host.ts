// Normalizes host names: IDN dots, full-width digits, trailing dots, brackets.
import { trimEndMatching } from "../runtime/trim-end-matching.ts";
import { parseAddress, parseIpv4, type AddressBytes } from "./address.ts";

export type Host =
  | { readonly kind: "address"; readonly name: string; readonly bytes: AddressBytes }
  | { readonly kind: "name"; readonly name: string };

/**
 * Parses the host of a URL or setting to a lower-case name without trailing dots, or to an address.
 * Returns undefined if it is neither: "", "1.2.3.4.5", "0x.example.999".
 */
export function parseHost(text: string): Host | undefined {
  const name = trimEndMatching(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\u3002\uFF0E\uFF61]/g, "."),
    /\./,
  );
  if (name === "") return undefined;
  if (name.includes(":") || name.startsWith("[")) {
    const bytes = parseAddress(name);
    return bytes && { kind: "address", name, bytes };
  }
  // WHATWG URL section 3.5, "ends in a number": such a host is an IPv4 address or invalid.
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) {
    const bytes = parseIpv4(name);
    return bytes && { kind: "address", name, bytes };
  }
  return /[\s/?#@\\%<>^|\0]/.test(name) ? undefined : { kind: "name", name };
}

/** True for names that always mean this machine (RFC 6761 section 6.3), regardless of DNS. */
export function isLocalhostName(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "localhost.localdomain" ||
    name === "localhost6" ||
    name === "ip6-localhost" ||
    name === "ip6-loopback"
  );
}
