// Formats numbers, sizes and times.
const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const EXACT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});
const SECONDS = {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
} as const;
const LOCAL_SECONDS = new Intl.DateTimeFormat(undefined, SECONDS);
const LOCAL_SECONDS_AND_YEAR = new Intl.DateTimeFormat(undefined, { ...SECONDS, year: "numeric" });
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const formatNumber = (value: number): string => NUMBER.format(value);
export const formatDecimal = (value: number): string => DECIMAL.format(value);

export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${DECIMAL.format((100 * part) / whole)} %`;

/** 850 ms, 1.2 s, 3 min 20 s, 22 min, 2 h 5 min. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${DECIMAL.format(ms)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${DECIMAL.format(ms / 1_000)} s`;
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 10)
    return `${minutes} min ${Math.floor(Math.max(0, ms - minutes * 60_000) / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${DECIMAL.format(bytes / 1_000)} KB`;
  if (bytes < 1_000_000_000) return `${DECIMAL.format(bytes / 1_000_000)} MB`;
  return `${DECIMAL.format(bytes / 1_000_000_000)} GB`;
}

/** UTC time for the tooltip. */
export const formatExact = (at: number | string): string => `${EXACT.format(new Date(at))} UTC`;
/** Formats a time in the browser's time zone. */
export const formatLocal = (at: number | string): string => LOCAL.format(new Date(at));
/** With seconds, which tell versions of one minute apart, and without the current year. */
export function formatLocalSeconds(at: number | string, now = new Date()): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return (isThisYear ? LOCAL_SECONDS : LOCAL_SECONDS_AND_YEAR).format(date);
}

/** "now", "3 min ago", "in 2 h", or the date after a month. */
export function formatAgo(at: number | string, now: number = Date.now()): string {
  const ms = now - new Date(at).getTime();
  const ahead = ms < 0;
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 10) return "now";
  const [amount, unit] =
    seconds < 60
      ? [seconds, "s"]
      : seconds < 3_600
        ? [Math.floor(seconds / 60), "min"]
        : seconds < 86_400
          ? [Math.floor(seconds / 3_600), "h"]
          : [Math.floor(seconds / 86_400), "d"];
  if (unit === "d" && amount > 30) return formatLocal(at);
  return ahead ? `in ${amount} ${unit}` : `${amount} ${unit} ago`;
}

/** Shortened in the middle, because host and last part are the most informative. */
export function shortenUrl(url: string, characters = 64): string {
  const plain = url.replace(/^https?:\/\//, "");
  if (plain.length <= characters) return plain;
  const end = Math.floor(characters * 0.55);
  return `${plain.slice(0, characters - end - 1)}…${plain.slice(-end)}`;
}

/** Formats a JSON value as text: texts unchanged, the rest as JSON. */
export const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Parts of a list written in one field, without empty ones. */
export const toList = (text: string, separator = /[\n,]/): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/**
 * Rewrites an address of this server to the current origin, so that the content security policy
 * lets it load.
 */
export function toOwnAddress(address: string): string {
  const parsed = URL.parse(address);
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    ? `${parsed.pathname}${parsed.search}`
    : address;
}
