// Hosts as `site:` means them: a domain and everything below it.

const MAX_LABELS = 5;

/** The host and the domains above it: b.example.com, example.com, com. */
export function hostSuffixes(hostname: string): string[] {
  const host = plainHost(hostname);
  if (host.includes(":") || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split(".");
  if (labels.length < 2) return [host];
  const suffixes: string[] = [];
  for (let first = Math.max(0, labels.length - MAX_LABELS); first < labels.length; first++)
    suffixes.push(labels.slice(first).join("."));
  if (labels.length > MAX_LABELS) suffixes.unshift(host);
  return suffixes;
}

/** Lower case, no final dot, no brackets, no characters that a literal could not hold. */
export const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .replaceAll(/[^\p{L}\p{N}.:_-]/gu, "");

/** Is `host` the domain or below it? */
export function isWithin(host: string, domain: string): boolean {
  const plain = plainHost(host);
  const wanted = plainHost(domain);
  return plain === wanted || plain.endsWith(`.${wanted}`);
}
