// Channels of the Apprise URLs that name a service which monitors support.
import type { MonitorRequest } from "../../../client/wire.ts";

type Channel = NonNullable<MonitorRequest["channels"]>[number];

/** Undefined for other services, and for URLs that are not understood. */
export function parseAppriseUrl(text: string): Channel | undefined {
  const [, scheme = "", rest = ""] = /^([a-z0-9]+):\/\/(\S+)$/i.exec(text.trim()) ?? [];
  const [withoutQuery = ""] = rest.split("?", 1);
  const parts = withoutQuery.split("/").filter((part) => part !== "");
  const [first = "", second = "", third = ""] = parts;
  const user = first.includes("@") ? first.slice(0, first.lastIndexOf("@")) : "";
  const host = first.slice(first.lastIndexOf("@") + 1);
  const web = scheme.toLowerCase().endsWith("s") ? "https" : "http";
  switch (scheme.toLowerCase()) {
    // Apprise also takes the addresses that these services show.
    case "https":
      if (/^(?:discord|discordapp)\.com\/api\/webhooks\/\d+\/[\w-]+$/.test(withoutQuery))
        return { type: "discord", url: `https://${withoutQuery}` };
      if (/^hooks\.slack\.com\/services\/\w+\/\w+\/\w+$/.test(withoutQuery))
        return { type: "slack", url: `https://${withoutQuery}` };
      return undefined;
    case "json":
    case "jsons":
      return user === "" && host !== ""
        ? { type: "webhook", url: `${web}://${withoutQuery}` }
        : undefined;
    case "discord":
      return second === ""
        ? undefined
        : { type: "discord", url: `https://discord.com/api/webhooks/${host}/${second}` };
    case "slack":
      return third === ""
        ? undefined
        : { type: "slack", url: `https://hooks.slack.com/services/${host}/${second}/${third}` };
    case "tgram":
      return parts.length === 2 ? { type: "telegram", token: first, chatId: second } : undefined;
    case "ntfy":
    case "ntfys":
      if (user !== "") return undefined;
      return second === ""
        ? { type: "ntfy", url: `https://ntfy.sh/${host}` }
        : { type: "ntfy", url: `${web}://${host}/${second}` };
    case "gotify":
    case "gotifys":
      return parts.length === 2
        ? { type: "gotify", url: `${web}://${host}`, token: second }
        : undefined;
    case "mmost":
    case "mmosts":
      return parts.length === 2
        ? { type: "mattermost", url: `${web}://${host}/hooks/${second}` }
        : undefined;
    case "pover":
      return user === "" || parts.length !== 1
        ? undefined
        : { type: "pushover", user, token: host };
    default:
      return undefined;
  }
}
