// Notification services and the fields of their channels. Pure.
import { toList } from "../../data/format.ts";

export const CHANNEL_TYPES = [
  ["webhook", "Webhook"],
  ["email", "E-mail"],
  ["slack", "Slack"],
  ["discord", "Discord"],
  ["teams", "Teams"],
  ["mattermost", "Mattermost"],
  ["telegram", "Telegram"],
  ["ntfy", "ntfy"],
  ["gotify", "Gotify"],
  ["matrix", "Matrix"],
  ["pushover", "Pushover"],
  ["apprise", "Apprise API"],
] as const;

export type ChannelType = (typeof CHANNEL_TYPES)[number][0];

export type ChannelField = {
  /** As the API calls it. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly isOptional?: boolean;
};

/** Values of the fields by name, as they were typed. */
export type ChannelValues = Readonly<Record<string, string>>;

const SECRET = "Stored encrypted and never shown again.";
const HOOK: ChannelField = { name: "url", label: "Address", help: SECRET };
const TOKEN: ChannelField = { name: "token", label: "Token", help: SECRET };

const FIELDS: Readonly<Record<ChannelType, readonly ChannelField[]>> = {
  webhook: [HOOK],
  email: [{ name: "to", label: "Recipients", help: "Needs QUARRY_SMTP_URL on the server." }],
  slack: [HOOK],
  discord: [HOOK],
  teams: [HOOK],
  mattermost: [HOOK],
  telegram: [
    { ...TOKEN, label: "Token of the bot" },
    { name: "chatId", label: "Chat", help: "Its number, or @channel." },
  ],
  ntfy: [
    { ...HOOK, help: "Server and topic, such as https://ntfy.sh/my-topic." },
    { ...TOKEN, isOptional: true },
  ],
  gotify: [
    { ...HOOK, help: "Of the server." },
    { ...TOKEN, label: "Token of the application" },
  ],
  matrix: [
    { ...HOOK, help: "Of the homeserver." },
    { ...TOKEN, label: "Access token" },
    { name: "roomId", label: "Room", help: "Such as !abc:example.org." },
  ],
  pushover: [
    { ...TOKEN, label: "Token of the application" },
    { name: "user", label: "User key" },
  ],
  apprise: [
    { ...HOOK, help: "The notify address of the server." },
    { name: "urls", label: "Apprise URLs", help: SECRET, isOptional: true },
    { name: "tag", label: "Tag", isOptional: true },
  ],
};

export const listChannelFields = (type: ChannelType): readonly ChannelField[] => FIELDS[type];

const readValue = (values: ChannelValues, name: string): string => (values[name] ?? "").trim();

export const isComplete = (type: ChannelType, values: ChannelValues): boolean =>
  FIELDS[type].every(
    ({ name, isOptional }) => isOptional === true || readValue(values, name) !== "",
  );

/** The channel as the API wants it; recipients are separated by commas or lines. */
export function toChannel(type: ChannelType, values: ChannelValues): object {
  const given = FIELDS[type]
    .map(({ name }) => [name, readValue(values, name)] as const)
    .filter(([, value]) => value !== "");
  return {
    type,
    ...Object.fromEntries(
      given.map(([name, value]) => [name, name === "to" ? toList(value) : value]),
    ),
  };
}
