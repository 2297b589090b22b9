// The addresses this process listens on. Pages, webhooks and browsers never reach them, even if the
// allow-list opens them: a request of the server to its own API would come from a trusted address.
import { networkInterfaces } from "node:os";
import { formatAddress, parseAddress, type AddressBytes } from "../url/address.ts";
import { parseHost, type Host } from "../url/host.ts";

/** Interfaces change with networks and containers. */
const INTERFACES_TTL_MS = 10_000;

export class OwnEndpoints {
  readonly #ports = new Map<number, number>();
  readonly #public: { readonly name: string; readonly port: number } | undefined;
  #interfaces: ReadonlySet<string> = new Set();
  #readAt = -Infinity;

  /** `publicUrl` counts only if it has no path: other paths of its host may be other sites. */
  constructor(publicUrl?: string) {
    const url = publicUrl === undefined ? null : URL.parse(publicUrl);
    const host = url === null || url.pathname !== "/" ? undefined : parseHost(url.hostname);
    if (url !== null && host !== undefined)
      this.#public = {
        name: host.name,
        port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
      };
  }

  /** Registers a port this process listens on; the returned function removes it. */
  add(port: number): () => void {
    this.#ports.set(port, (this.#ports.get(port) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (this.#ports.get(port) ?? 1) - 1;
      if (left === 0) this.#ports.delete(port);
      else this.#ports.set(port, left);
    };
  }

  /** Registers the port of a base URL this process listens on; returns the URL. */
  addUrl(url: string): string {
    this.add(Number(new URL(url).port) || 80);
    return url;
  }

  /**
   * True if a connection to `host` on `port` at any of these addresses would reach this process.
   */
  includes(host: Host, port: number, addresses: readonly AddressBytes[]): boolean {
    if (this.#public?.port === port && this.#public.name === host.name) return true;
    return this.#ports.has(port) && addresses.some((address) => this.#isOfThisMachine(address));
  }

  #isOfThisMachine(address: AddressBytes): boolean {
    const bytes = toIpv4(address) ?? address;
    if (bytes.length === 4 && (bytes[0] === 127 || bytes.every((byte) => byte === 0))) return true;
    // :: and ::1
    if (bytes.length === 16 && bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15]! < 2)
      return true;
    return this.#readInterfaces().has(formatAddress(bytes));
  }

  #readInterfaces(): ReadonlySet<string> {
    if (performance.now() - this.#readAt > INTERFACES_TTL_MS) {
      this.#readAt = performance.now();
      this.#interfaces = new Set(
        Object.values(networkInterfaces()).flatMap((all = []) =>
          all.flatMap(({ address }) => {
            const bytes = parseAddress(address.replace(/%.*$/, ""));
            return bytes === undefined ? [] : formatAddress(bytes);
          }),
        ),
      );
    }
    return this.#interfaces;
  }
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
function toIpv4(bytes: AddressBytes): AddressBytes | undefined {
  const isMapped =
    bytes.length === 16 &&
    bytes.subarray(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255;
  return isMapped ? bytes.subarray(12) : undefined;
}
