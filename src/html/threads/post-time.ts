// The time of a post as it is written above the post.

/** Labels and signs around a date: "Posted on", "« on:", "»". */
const BEFORE = /^(?:[«»|·•#,–-]|\p{L}[\p{L} ]{0,20}:(?= )|posted(?: on)?\b|\s)+/iu;
const AFTER = /[\s«»|·•#,–-]+$/;
const MAX_CHARACTERS = 60;
const YEAR = /(?:^|\D)(?:19|20)\d\d(?!\d)/;

/** Returns the date in a line about a post, such as "by Ann » Sun Dec 17, 2023 11:23 am". */
export function cleanTime(text: string): string {
  const last = text.split("»").findLast((part) => /\d/.test(part)) ?? text;
  const time = last.slice(0, 200).replace(BEFORE, "").replace(AFTER, "");
  return time.length > MAX_CHARACTERS ? "" : time;
}

/**
 * Returns the date as `2023-12-17 11:23` if the visible date has no year but the page has a
 * machine-readable one: an ISO time, or milliseconds.
 */
export function readAttributeDate(text: string, datetime: string | undefined): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/.test(text)) return toMinutes(text);
  if (/^\d{12,14}$/.test(text)) return toMinutes(new Date(Number(text)).toISOString());
  if (YEAR.test(text) || datetime === undefined) return undefined;
  return /^\d{4}-\d{2}-\d{2}/.test(datetime) ? toMinutes(datetime) : undefined;
}

const toMinutes = (iso: string): string => iso.slice(0, 16).replace("T", " ");
