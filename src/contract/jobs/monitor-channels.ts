// Notification channels of a monitor. Addresses and tokens are secrets: they are stored encrypted
// and never returned.
import { z } from "zod";
import { headersSchema } from "../request/headers.ts";
import { findUrlFault } from "../request/url.ts";

const addressSchema = z
  .string()
  .max(2_000)
  .refine(
    (text) => /^https?:\/\//i.test(text.trim()) && findUrlFault(text) === undefined,
    "channels: url must be an absolute http or https URL",
  );
const tokenSchema = z.string().min(1).max(500);

export const NOTICE_EVENTS = ["change", "broken", "recovered"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

const clockSchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "channels: a time must be like 22:00");

const everyChannel = {
  id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Unique in the monitor; generated when missing."),
  events: z
    .array(z.enum(NOTICE_EVENTS))
    .min(1)
    .prefault([...NOTICE_EVENTS]),
  digestMinutes: z
    .int()
    .min(5)
    .max(10_080)
    .optional()
    .describe("Collects notifications and sends them together at most this often."),
  quietHours: z
    .strictObject({ from: clockSchema, to: clockSchema })
    .optional()
    .describe(
      "No notification in this period; they are sent at its end. Times in the time zone of the schedule.",
    ),
  maxPerHour: z
    .int()
    .min(1)
    .max(1_000)
    .default(60)
    .describe("Notifications beyond it are sent together in the next hour."),
};

const defineChatChannel = (type: "slack" | "discord" | "teams" | "mattermost") =>
  z.strictObject({
    ...everyChannel,
    type: z.literal(type),
    url: addressSchema.describe("URL of the incoming webhook."),
  });

export const channelSchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...everyChannel,
    type: z.literal("webhook"),
    url: addressSchema,
    headers: headersSchema.prefault({}),
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("email"),
    to: z.array(z.email().max(320)).min(1).max(50),
  }),
  defineChatChannel("slack"),
  defineChatChannel("discord"),
  defineChatChannel("teams"),
  defineChatChannel("mattermost"),
  z.strictObject({
    ...everyChannel,
    type: z.literal("telegram"),
    url: addressSchema.default("https://api.telegram.org"),
    token: tokenSchema,
    chatId: z.string().min(1).max(100),
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("ntfy"),
    url: addressSchema.describe("Server and topic, such as https://ntfy.sh/my-topic."),
    token: tokenSchema.optional(),
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("gotify"),
    url: addressSchema,
    token: tokenSchema,
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("matrix"),
    url: addressSchema.describe("URL of the homeserver."),
    token: tokenSchema,
    roomId: z.string().min(2).max(255),
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("pushover"),
    url: addressSchema.default("https://api.pushover.net"),
    token: tokenSchema,
    user: tokenSchema,
  }),
  z.strictObject({
    ...everyChannel,
    type: z.literal("apprise"),
    url: addressSchema.describe("The notify address of an Apprise API server."),
    urls: z
      .string()
      .max(2_000)
      .optional()
      .describe("Apprise URLs, for a server without stored ones."),
    tag: z.string().max(100).optional(),
  }),
]);

export type Channel = z.output<typeof channelSchema>;
export type ChannelType = Channel["type"];

/** Keeps a stored channel, whose address and tokens are not returned. Missing options stay as they are. */
const keptChannelSchema = z
  .strictObject({
    type: z.literal("keep"),
    id: z.string().min(1).max(100).describe("Id of a channel of the monitor."),
    events: everyChannel.events.unwrap().optional(),
    digestMinutes: everyChannel.digestMinutes.nullable(),
    quietHours: everyChannel.quietHours.nullable(),
    maxPerHour: everyChannel.maxPerHour.unwrap().optional(),
  })
  .describe("A stored channel with its address and tokens; null removes an option.");

export type KeptChannel = z.output<typeof keptChannelSchema>;

/** Rejects an id that is used twice. */
function refuseRepeatedIds(
  channels: readonly { readonly id?: string | undefined }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { id }] of channels.entries()) {
    if (id === undefined) continue;
    if (seen.has(id))
      context.addIssue({
        code: "custom",
        path: [index, "id"],
        message: `channels[${index}].id: ${id} is used twice`,
      });
    seen.add(id);
  }
}

const MAX_CHANNELS = 20;

export const channelsSchema = z
  .array(channelSchema)
  .max(MAX_CHANNELS)
  .superRefine(refuseRepeatedIds)
  .describe("Notification channels.");

export const changedChannelsSchema = z
  .array(z.discriminatedUnion("type", [keptChannelSchema, ...channelSchema.options]))
  .max(MAX_CHANNELS)
  .superRefine(refuseRepeatedIds)
  .describe(
    "The whole list. Channels of type keep stay; stored ones that it leaves out are removed.",
  );
