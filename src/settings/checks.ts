// How the text of a setting becomes its value, and what is wrong with one that does not.
import { z } from "zod";
import { Secret } from "./secret.ts";

export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
/** A list whose every entry must pass `fault`, which says what is wrong with it. */
export const checkedList = (fault: (entry: string) => string | undefined) =>
  list.superRefine((entries, context) => {
    for (const entry of entries) {
      const message = fault(entry);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }
  });
export const flag = z
  .enum(["true", "false", "1", "0"], {
    error: ({ input }) => `must be true or false, not "${String(input)}"`,
  })
  .transform((value) => value === "true" || value === "1");
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: ({ input }) => `must be one of ${values.join(", ")}, not "${String(input)}"`,
  });
export const whole = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\s*\d+\s*$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not "${String(input)}"`,
    })
    .transform(Number);
export const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

export const HTTP_ADDRESS = "must be an http:// or https:// address";

/** What can be said of an entry of the allow-list by its looks; src/egress/policy.ts reads it. */
export function allowFault(entry: string): string | undefined {
  const fault = `"${entry}" is not a host, host:port, *.domain, address or CIDR`;
  const match = /^(\[[^[\]]+\]|[^/:]+|[^/[\]]*:[^/[\]]*:[^/[\]]*)(?:\/(\d{1,3}))?(?::(\d+))?$/.exec(
    entry,
  );
  const host = match?.[1] ?? "";
  if (match === null || /[\s@?#\\]|^$/.test(host) || host.slice(1).includes("*")) return fault;
  if (host.startsWith("*") && !host.startsWith("*.")) return fault;
  if (Number(match[2] ?? 0) > (host.includes(":") ? 128 : 32)) return fault;
  return Number(match[3] ?? 0) > 65_535 ? `the port of "${entry}" is above 65535` : undefined;
}

/** Does not repeat the entry, which may hold a password. */
export function proxyFault(entry: string): string | undefined {
  const url = URL.parse(entry.includes("://") ? entry : `http://${entry}`);
  return url !== null && /^(https?|socks5?h?):$/.test(url.protocol) && url.hostname !== ""
    ? undefined
    : "a proxy must be http://, https://, socks5:// or socks5h://HOST:PORT";
}

export const isWebhookUrl = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text.replaceAll("{jobId}", "id"))?.protocol ?? "");

export type Row = {
  readonly variable: string;
  readonly schema: z.ZodType;
  readonly fallback: string;
  readonly doc: string;
  readonly group: string;
};
export const row = <S extends z.ZodType, const F extends string>(
  group: string,
  variable: string,
  schema: S,
  fallback: F,
  doc: string,
) => ({ group, variable, schema, fallback, doc });
