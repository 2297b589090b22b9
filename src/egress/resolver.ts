import { lookup as systemLookup } from "node:dns/promises";
import { TargetError } from "../errors.ts";
import { withSpan } from "../telemetry/tracing.ts";
import { formatAddress, parseAddress, type AddressBytes } from "../url/address.ts";

/** Returns every address of a host name as text; rejects when there is none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export type ResolvedAddress = {
  readonly bytes: AddressBytes;
  readonly address: string;
  readonly family: 4 | 6;
};

export type Resolver = { resolve(name: string): Promise<readonly ResolvedAddress[]> };

type Entry = { readonly answer: Promise<readonly ResolvedAddress[]>; endsAt: number };

/**
 * Resolves a name once for concurrent callers and caches the answer briefly (the system's lookup
 * returns no TTL). Throws TargetError SCRAPE_DNS_RESOLUTION_ERROR; failures are cached for two
 * seconds.
 */
export function createResolver(
  options: { lookup?: Lookup | undefined; lifeMs?: number; now?: () => number } = {},
): Resolver {
  const { lookup = lookupSystem, lifeMs = 15_000, now = () => performance.now() } = options;
  const entries = new Map<string, Entry>();

  return {
    resolve(name) {
      const known = entries.get(name);
      if (known !== undefined && known.endsAt > now()) return known.answer;
      const entry: Entry = {
        answer: withSpan("dns.lookup", { "server.address": name }, () => resolveName(lookup, name)),
        endsAt: Infinity,
      };
      entries.delete(name);
      entries.set(name, entry);
      const [oldest] = entries.keys();
      if (entries.size > 5_000 && oldest !== undefined) entries.delete(oldest);
      entry.answer.then(
        () => (entry.endsAt = now() + lifeMs),
        () => (entry.endsAt = now() + Math.min(lifeMs, 2_000)),
      );
      return entry.answer;
    },
  };
}

async function resolveName(lookup: Lookup, name: string): Promise<readonly ResolvedAddress[]> {
  let texts: readonly string[];
  try {
    texts = await lookup(name);
  } catch (cause) {
    const again = cause instanceof Error && "code" in cause && cause.code === "EAI_AGAIN";
    const reason = again ? "The name server did not answer" : "There is no such name";
    throw createDnsError(name, reason, cause);
  }
  if (texts.length === 0) throw createDnsError(name, "The name has no address");
  return texts.map((text) => {
    const bytes = parseAddress(text);
    if (bytes === undefined) throw createDnsError(name, `"${text}" is not an address`);
    return { bytes, address: formatAddress(bytes), family: bytes.length === 4 ? 4 : 6 };
  });
}

const createDnsError = (name: string, reason: string, cause?: unknown): TargetError =>
  new TargetError(
    "SCRAPE_DNS_RESOLUTION_ERROR",
    `The host name ${name} could not be resolved. ${reason}; check the spelling of the URL.`,
    { cause },
  );

const lookupSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map((record) => record.address);
