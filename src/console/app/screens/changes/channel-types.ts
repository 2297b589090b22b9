// Notification services that the console sets up. Pure.
import { toList } from "../../data/format.ts";

/** Services with one address; the API has more. */
export const CHANNEL_TYPES = [
  ["webhook", "Webhook"],
  ["slack", "Slack"],
  ["discord", "Discord"],
  ["teams", "Teams"],
  ["mattermost", "Mattermost"],
  ["ntfy", "ntfy"],
  ["email", "E-mail"],
] as const;

/** The channel as the API wants it; recipients are separated by commas or lines. */
export const toChannel = (type: string, address: string): object =>
  type === "email" ? { type, to: toList(address) } : { type, url: address.trim() };
