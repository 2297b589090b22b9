// Builds the request that sends a message to each service. Sources: the documentation of each
// service's incoming webhook or publish API.
import type { Channel } from "../contract/jobs/monitor-channels.ts";
import { buildEnvelope } from "../webhooks/envelope.ts";
import { buildSignatureHeaders } from "../webhooks/signature.ts";
import type { Message as HttpMessage } from "../webhooks/send.ts";
import type { Message } from "./message.ts";
import type { NoticePayload } from "./notices.ts";

export type HttpChannel = Exclude<Channel, { type: "email" }>;

export type OutgoingRequest = {
  /** The same at every attempt. */
  readonly id: string;
  readonly attempt: number;
  readonly payloads: readonly NoticePayload[];
  readonly message: Message;
  /** Signs the webhook channel. */
  readonly secret: string;
};

type Body = Readonly<Record<string, unknown>>;

/** Limits of the services, in characters. */
const MAX_CHARACTERS = {
  slack: 3_000,
  discord: 1_900,
  teams: 6_000,
  mattermost: 8_000,
  telegram: 4_000,
  ntfy: 3_500,
  gotify: 8_000,
  matrix: 8_000,
  pushover: 1_000,
  apprise: 8_000,
} as const;

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`.toWellFormed();

const toPlainText = ({ title, text }: Message): string => `${title}\n\n${text}`;
/** Breaks mentions with a zero-width space, so that page text cannot notify people. */
const escapeMentions = (text: string): string => text.replaceAll("@", "@\u200B");
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const joinPath = (base: string, path: string): string => `${base.replace(/\/+$/, "")}${path}`;

function buildJsonRequest(
  url: string,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
  method: "POST" | "PUT" = "POST",
): HttpMessage {
  return {
    method,
    url,
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function toWebhook(
  { url, headers }: Extract<HttpChannel, { type: "webhook" }>,
  { id, attempt, payloads, secret }: OutgoingRequest,
): HttpMessage {
  const [first] = payloads;
  const envelope = {
    ...buildEnvelope({
      id,
      type: "monitor.page",
      jobId: first?.monitorId ?? "",
      data: payloads.map((payload) => ({ ...payload })),
      error: undefined,
      metadata: {},
    }),
    type: "monitor.notification",
  };
  const message = buildJsonRequest(url, envelope);
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    ...message,
    headers: {
      ...own,
      ...message.headers,
      "x-quarry-event-id": id,
      "x-quarry-attempt": String(attempt),
      ...buildSignatureHeaders(message.body, secret),
    },
  };
}

function toCard(text: string): Body {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: text
            .split("\n\n")
            .map((part) => ({ type: "RichTextBlock", inlines: [{ type: "TextRun", text: part }] })),
        },
      },
    ],
  };
}

/** ntfy accepts JSON at the root of the server only. */
function toNtfy(
  { url, token }: Extract<HttpChannel, { type: "ntfy" }>,
  { title, text }: Message,
): HttpMessage {
  const topicUrl = new URL(url);
  const topic = decodeURIComponent(
    topicUrl.pathname.split("/").findLast((part) => part !== "") ?? "",
  );
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const message = cut(text, MAX_CHARACTERS.ntfy);
  return buildJsonRequest(`${topicUrl.origin}/`, { topic, title, message }, headers);
}

/** Returns the request that sends a message to a channel. */
export function toRequest(channel: HttpChannel, outgoing: OutgoingRequest): HttpMessage {
  const { message, id } = outgoing;
  switch (channel.type) {
    case "webhook":
      return toWebhook(channel, outgoing);
    case "slack":
      return buildJsonRequest(channel.url, {
        text: cut(escapeSlack(toPlainText(message)), MAX_CHARACTERS.slack),
      });
    case "mattermost":
      return buildJsonRequest(channel.url, {
        text: escapeMentions(cut(toPlainText(message), MAX_CHARACTERS.mattermost)),
      });
    case "discord":
      return buildJsonRequest(channel.url, {
        content: cut(toPlainText(message), MAX_CHARACTERS.discord),
        allowed_mentions: { parse: [] },
      });
    case "teams":
      return buildJsonRequest(channel.url, toCard(cut(toPlainText(message), MAX_CHARACTERS.teams)));
    case "telegram":
      return buildJsonRequest(joinPath(channel.url, `/bot${channel.token}/sendMessage`), {
        chat_id: channel.chatId,
        text: cut(toPlainText(message), MAX_CHARACTERS.telegram),
        link_preview_options: { is_disabled: true },
      });
    case "ntfy":
      return toNtfy(channel, message);
    case "gotify":
      return buildJsonRequest(
        joinPath(channel.url, "/message"),
        { title: message.title, message: cut(message.text, MAX_CHARACTERS.gotify), priority: 5 },
        { "x-gotify-key": channel.token },
      );
    case "matrix":
      return buildJsonRequest(
        joinPath(
          channel.url,
          `/_matrix/client/v3/rooms/${encodeURIComponent(channel.roomId)}/send/m.room.message/${id}`,
        ),
        { msgtype: "m.text", body: cut(toPlainText(message), MAX_CHARACTERS.matrix) },
        { authorization: `Bearer ${channel.token}` },
        "PUT",
      );
    case "pushover":
      return buildJsonRequest(joinPath(channel.url, "/1/messages.json"), {
        token: channel.token,
        user: channel.user,
        title: message.title,
        message: cut(message.text, MAX_CHARACTERS.pushover),
      });
    case "apprise":
      return buildJsonRequest(channel.url, {
        title: message.title,
        body: cut(message.text, MAX_CHARACTERS.apprise),
        type: "info",
        ...(channel.urls !== undefined && { urls: channel.urls }),
        ...(channel.tag !== undefined && { tag: channel.tag }),
      });
  }
}
