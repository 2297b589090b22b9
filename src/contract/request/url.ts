// The syntax of a requested URL. The egress gate decides whether its address may be reached.
import { z } from "zod";

/** Words before a colon that are a scheme even without slashes; `host:port` is not one. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[a-z0-9.-]+:\d+(?:[/?#]|$)/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const TOP_LEVEL_DOMAIN = /\.(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

function addScheme(text: string): string {
  if (text.startsWith("//")) return `http:${text}`;
  const hasScheme = SCHEME.test(text) && !HOST_AND_PORT.test(text);
  return hasScheme ? text : `http://${text}`;
}

function hasPublicForm(hostname: string): boolean {
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return host.startsWith("[") || IPV4.test(host) || TOP_LEVEL_DOMAIN.test(host);
}

/** Returns what is wrong with a URL in one sentence; undefined if valid. */
export function findUrlFault(text: string): string | undefined {
  const absolute = addScheme(text.trim());
  const url = URL.parse(absolute);
  if (url === null) return "Invalid URL";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return "URL uses unsupported protocol; http and https are supported";
  if (!hasPublicForm(url.hostname))
    return "URL must have a host with a top-level domain, an IP address or localhost";
  return undefined;
}

/**
 * Returns the absolute http(s) URL of a valid text: "Example.com/a" gives "http://example.com/a".
 */
export function resolveUrl(text: string): string {
  return new URL(addScheme(text.trim())).href;
}

/** A URL kept as written; `resolveUrl` makes it absolute. */
export const urlSchema = z
  .string()
  .superRefine((text, context) => {
    const fault = findUrlFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  })
  .meta({
    description: "An http or https URL; http:// is assumed when no scheme is written.",
    examples: ["https://example.com"],
  });
