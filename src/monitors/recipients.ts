// Recipients of e-mail and their unsubscribe links. A link is an HMAC of the address with the
// secret of the monitor, so it shows no address and needs no table.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Channel } from "../contract/jobs/monitor-channels.ts";
import type { MonitorOptions } from "../contract/jobs/monitor.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";

type TokenOwner = Pick<MonitorRecord, "id" | "feedToken">;
/** The settings that name recipients. */
type RecipientSettings = {
  readonly channels: readonly Channel[];
  readonly notification: NonNullable<MonitorOptions["notification"]> | null;
};

/** Two spellings of an address are one recipient. */
export const normalizeRecipient = (address: string): string => address.trim().toLowerCase();

const sign = (secret: string, use: string, recipient: string): string =>
  createHmac("sha256", secret)
    .update(`${use} ${normalizeRecipient(recipient)}`)
    .digest("base64url");

/** Names a recipient in the outbox without its address. */
export const buildRecipientName = ({ feedToken }: TokenOwner, recipient: string): string =>
  sign(feedToken, "recipient", recipient).slice(0, 16);

const buildToken = ({ feedToken }: TokenOwner, recipient: string): string =>
  sign(feedToken, "unsubscribe", recipient);

export const UNSUBSCRIBE_PATH = "/unsubscribe/monitor";

export const buildUnsubscribePath = (monitor: TokenOwner, recipient: string): string =>
  `${UNSUBSCRIBE_PATH}/${monitor.id}/${buildToken(monitor, recipient)}`;

/** Every address that the monitor names, without repeats. */
export function listRecipients({ channels, notification }: RecipientSettings): string[] {
  const all = [
    ...channels.flatMap((channel) => (channel.type === "email" ? channel.to : [])),
    ...(notification?.email?.recipients ?? []),
  ];
  return [...new Map(all.map((address) => [normalizeRecipient(address), address])).values()];
}

/** Returns the recipient of an unsubscribe link; undefined if the link is not of this monitor. */
export function findRecipient(
  monitor: TokenOwner,
  settings: RecipientSettings,
  token: string,
): string | undefined {
  const given = Buffer.from(token);
  return listRecipients(settings).find((recipient) => {
    const known = Buffer.from(buildToken(monitor, recipient));
    return known.length === given.length && timingSafeEqual(known, given);
  });
}

export const isUnsubscribed = (
  { unsubscribed = [] }: { readonly unsubscribed?: readonly string[] },
  recipient: string,
): boolean => unsubscribed.includes(normalizeRecipient(recipient));
