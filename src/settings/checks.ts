// Parsing and validation of settings. Plain functions, because settings are read before the server
// listens and a schema library takes longer to load than everything else needed by then.
import { Secret } from "./secret.ts";

export type ReadResult<T> = { readonly value: T } | { readonly faults: readonly string[] };
export type Reader<T> = (text: string) => ReadResult<T>;

export const readAnyText: Reader<string> = (value) => ({ value });

/** A text that `faultOf` validates. */
export const readCheckedText =
  (faultOf: (text: string) => string | undefined): Reader<string> =>
  (value) => {
    const fault = faultOf(value);
    return fault === undefined ? { value } : { faults: [fault] };
  };

export const readTextLike = (pattern: RegExp, fault: string): Reader<string> =>
  readCheckedText((text) => (pattern.test(text) ? undefined : fault));

/** A list whose entries `faultOf` validates. */
export const readCheckedList =
  (faultOf: (entry: string) => string | undefined): Reader<string[]> =>
  (text) => {
    const value = text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const faults = value.map(faultOf).filter((fault) => fault !== undefined);
    return faults.length === 0 ? { value } : { faults };
  };

export const readFlag: Reader<boolean> = (text) =>
  /^(?:true|false|1|0)$/.test(text)
    ? { value: text === "true" || text === "1" }
    : { faults: [`must be true or false, not "${text}"`] };

export const readChoice =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (text) => {
    const value = values.find((one) => one === text);
    return value === undefined
      ? { faults: [`must be one of ${values.join(", ")}, not "${text}"`] }
      : { value };
  };

export const readWhole =
  (min: number, max: number): Reader<number> =>
  (text) => {
    const value = Number(text);
    return /^\s*\d+\s*$/.test(text) && value >= min && value <= max
      ? { value }
      : { faults: [`must be a whole number from ${min} to ${max}, not "${text}"`] };
  };

/** The value that `read` accepts, never printed. */
export const readSecret =
  (read: Reader<string>): Reader<Secret> =>
  (text) => {
    const reading = read(text);
    return "value" in reading ? { value: new Secret(reading.value) } : reading;
  };
export const secret = readSecret(readAnyText);

export const HTTP_ADDRESS = "must be an http:// or https:// address";

export const readHttpAddress: Reader<string> = (text) => {
  const value = text.trim();
  // The URL parser drops tabs and line breaks anywhere.
  return /^https?:\/\//i.test(value) && URL.canParse(value)
    ? { value: value.replaceAll(/[\t\n\r]/g, "") }
    : { faults: [HTTP_ADDRESS] };
};

/** Validates the syntax of an allow-list entry; src/egress/policy.ts parses it. */
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

/** An origin as browsers send it, such as https://chat.example or vscode-file://vscode-app; or *. */
export const findOriginEntryFault = (entry: string): string | undefined =>
  entry === "*" || /^[a-z][a-z\d+.-]*:\/\/[^/\s?#@]+$/i.test(entry)
    ? undefined
    : `"${entry}" is not an origin, such as https://chat.example:8443`;

/** Does not repeat the entry, which may contain a password. */
export function findProxyFault(entry: string): string | undefined {
  const url = URL.parse(entry.includes("://") ? entry : `http://${entry}`);
  return url !== null && /^(https?|socks5?h?):$/.test(url.protocol) && url.hostname !== ""
    ? undefined
    : "a proxy must be http://, https://, socks5:// or socks5h://HOST:PORT";
}

export const isWebhookUrl = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text.replaceAll("{jobId}", "id"))?.protocol ?? "");

export type Row = {
  readonly variable: string;
  readonly read: Reader<unknown>;
  readonly fallback: string;
  readonly doc: string;
  readonly group: string;
};
export const defineRow = <R extends Reader<unknown>, const F extends string>(
  group: string,
  variable: string,
  read: R,
  fallback: F,
  doc: string,
) => ({ group, variable, read, fallback, doc });
