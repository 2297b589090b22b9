// Hosts in `site:` operators: a domain and its subdomains.

const MAX_LABELS = 5;

/** Returns the host and its parent domains: b.example.com, example.com, com. */
export function listHostSuffixes(hostname: string): string[] {
  const host = normalizeHost(hostname);
  if (host.includes(":") || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split(".");
  if (labels.length < 2) return [host];
  const suffixes: string[] = [];
  for (let first = Math.max(0, labels.length - MAX_LABELS); first < labels.length; first++)
    suffixes.push(labels.slice(first).join("."));
  if (labels.length > MAX_LABELS) suffixes.unshift(host);
  return suffixes;
}

/**
 * Normalizes a host: lower case, no trailing dot, no brackets, no characters that break a literal.
 */
export const normalizeHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .replaceAll(/[^\p{L}\p{N}.:_-]/gu, "");

/** True if `host` is the domain or a subdomain. */
export function isWithin(host: string, domain: string): boolean {
  const plain = normalizeHost(host);
  const wanted = normalizeHost(domain);
  return plain === wanted || plain.endsWith(`.${wanted}`);
}
