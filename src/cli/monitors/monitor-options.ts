// Reads --when and --notify of `quarry monitor add`. The server checks the rest.
import { RequestError } from "../../errors.ts";
import type { MonitorRequest } from "../../../client/wire.ts";

type NoticeCondition = NonNullable<MonitorRequest["when"]>["conditions"][number];
type Notify = NonNullable<MonitorRequest["channels"]>[number];

const NUMBER = /^(?:(\S.{0,200}?)\s*)?(<|>|~)\s*(-?\d+(?:\.\d+)?)\s*%?$/;
const TEXT = /^(added|removed|appears|disappears)\s+(\S.*)$/;
const FACTS: Readonly<Record<string, NoticeCondition["type"]>> = {
  title: "titleChanged",
  status: "statusChanged",
  redirect: "redirectChanged",
  "new-urls": "newUrls",
};

/**
 * `< 20`, `> 20`, `~ 5%` (changed by) of the first number, `Price < 20` of the first one after a text, `added TEXT`, `removed TEXT`,
 * `appears TEXT`, `disappears TEXT`, `title`, `status`, `redirect`, `new-urls`. Throws BAD_REQUEST.
 */
export function parseCondition(text: string): NoticeCondition {
  const trimmed = text.trim();
  const fact = FACTS[trimmed];
  if (fact !== undefined) return { type: fact } as NoticeCondition;
  const [, verb, words] = TEXT.exec(trimmed) ?? [];
  if (verb !== undefined && words !== undefined)
    return {
      type: `text${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
      text: words,
    } as NoticeCondition;
  const [, near, sign, value] = NUMBER.exec(trimmed) ?? [];
  if (sign !== undefined) {
    const types = {
      "<": "numberBelow",
      ">": "numberAbove",
      "~": "numberChangedByPercent",
    } as const;
    const type = types[sign as keyof typeof types];
    return { type, ...(near !== undefined && { near }), value: Number(value) };
  }
  throw new RequestError(
    "BAD_REQUEST",
    `--when ${text} is not understood; write for example "< 20", "Price < 20", "added sold out" or title.`,
  );
}

/** `mailto:a@b.example`, `slack:URL`, `ntfy:URL`, any URL for a signed webhook, or a channel as JSON. Throws BAD_REQUEST. */
export function parseChannel(text: string): Notify {
  const trimmed = text.trim();
  if (trimmed.startsWith("{"))
    try {
      return JSON.parse(trimmed) as Notify;
    } catch {
      throw new RequestError("BAD_REQUEST", "--notify: the channel is not valid JSON.");
    }
  if (trimmed.startsWith("mailto:"))
    return { type: "email", to: trimmed.slice("mailto:".length).split(",") };
  const [, type, url] =
    /^(slack|discord|teams|mattermost|ntfy|apprise|webhook):(https?:.*)$/.exec(trimmed) ?? [];
  if (type !== undefined) return { type, url } as Notify;
  if (/^https?:\/\//.test(trimmed)) return { type: "webhook", url: trimmed };
  throw new RequestError(
    "BAD_REQUEST",
    `--notify ${text} is not understood; write mailto:ADDRESS, slack:URL, discord:URL, teams:URL, mattermost:URL, ntfy:URL, apprise:URL, a URL, or a channel as JSON.`,
  );
}
