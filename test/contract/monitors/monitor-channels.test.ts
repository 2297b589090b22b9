// Each channel of a monitor against a receiver of its wire format, and e-mail against a real SMTP
// server.
import { describe, expect, it } from "vitest";
import type { Monitor } from "../../../src/contract/jobs/monitor-report.ts";
import {
  useNotificationReceivers,
  type Mail,
  type Received,
} from "../../notification-receivers.ts";
import { isRemote } from "../../service.ts";

const { received, mails, ask, create, change, getOpened } = useNotificationReceivers();

const unfold = (mail: Mail | undefined): string => (mail?.text ?? "").replaceAll(/\r\n[ \t]/g, " ");
const decode = (mail: Mail | undefined): string =>
  unfold(mail).replaceAll("=\r\n", "").replaceAll("=3D", "=");

describe.skipIf(isRemote)("channels of monitors", () => {
  it("sends each service its own request format, with page text as plain text", async () => {
    const { base, receiver } = getOpened();
    const { id } = await create([
      { type: "slack", url: `${receiver}/slack` },
      { type: "mattermost", url: `${receiver}/mattermost` },
      { type: "discord", url: `${receiver}/discord` },
      { type: "teams", url: `${receiver}/teams` },
      { type: "telegram", url: receiver, token: "12:ab", chatId: "-100" },
      { type: "ntfy", url: `${receiver}/harbour-topic`, token: "tk" },
      { type: "gotify", url: `${receiver}/gotify`, token: "gt" },
      { type: "matrix", url: receiver, token: "mx", roomId: "!room:example.org" },
      { type: "pushover", url: receiver, token: "pt", user: "pu" },
      { type: "apprise", url: `${receiver}/notify`, urls: "json://x", tag: "all" },
      { type: "webhook", url: `${receiver}/hook`, headers: { "X-Team": "blue" } },
    ]);
    await change(id);
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(11);
    const of = (path: string): Received => {
      const found = received.find((one) => one.path.startsWith(path));
      if (found === undefined) throw new Error(`nothing at ${path}`);
      return found;
    };
    const title = "harbour: Harbour changed";
    const shown = "Closed <script>alert(1)</script> @everyone <!channel> {{7*7}}";
    expect(of("/slack").body["text"]).toContain("+ Closed &lt;script&gt;alert(1)&lt;/script&gt;");
    expect(of("/slack").body["text"]).not.toContain("<!channel>");
    expect(String(of("/mattermost").body["text"])).not.toContain("@everyone");
    expect(of("/discord").body).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(of("/teams").body).toMatchObject({
      type: "message",
      attachments: [{ content: { type: "AdaptiveCard" } }],
    });
    expect(of("/bot12:ab/sendMessage").body).toMatchObject({ chat_id: "-100" });
    expect(of("/bot12:ab/sendMessage").body["text"]).toContain(shown);
    const ntfy = received.find(({ path, body }) => path === "/" && "topic" in body);
    expect(ntfy?.body).toMatchObject({ topic: "harbour-topic", title });
    expect(ntfy?.headers["authorization"]).toBe("Bearer tk");
    expect(of("/gotify/message")).toMatchObject({
      headers: { "x-gotify-key": "gt" },
      body: { title, message: expect.stringContaining(shown) as string },
    });
    const matrix = of("/_matrix/client/v3/rooms/!room%3Aexample.org/send/m.room.message/");
    expect(matrix).toMatchObject({ method: "PUT", body: { msgtype: "m.text" } });
    expect(matrix.headers["authorization"]).toBe("Bearer mx");
    expect(of("/1/messages.json").body).toMatchObject({ token: "pt", user: "pu", title });
    expect(of("/notify").body).toMatchObject({ title, type: "info", urls: "json://x", tag: "all" });
    expect(of("/hook")).toMatchObject({
      headers: { "x-team": "blue" },
      body: {
        type: "monitor.notification",
        id,
        data: [{ event: "change", pages: [{ url: `${base}/page`, added: [shown] }] }],
      },
    });
    expect(of("/hook").headers["x-quarry-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  it("keeps channels by id with their secrets, changes their options, and removes those left out", async () => {
    const { base, receiver, service } = getOpened();
    const { id } = await create([
      { id: "a", type: "webhook", url: `${receiver}/kept`, headers: { "X-Team": "blue" } },
      { id: "b", type: "ntfy", url: `${receiver}/gone`, token: "tk", digestMinutes: 30 },
    ]);
    const changed = await ask<Monitor>("PATCH", `/v2/monitor/${id}`, {
      channels: [
        { type: "keep", id: "a", maxPerHour: 7, quietHours: { from: "01:00", to: "01:01" } },
        { type: "keep", id: "b", digestMinutes: null, events: ["broken"] },
        { id: "c", type: "slack", url: `${receiver}/slack` },
      ],
    });
    expect(changed.channels).toMatchObject([
      { id: "a", type: "webhook", maxPerHour: 7, quietHours: { from: "01:00", to: "01:01" } },
      { id: "b", type: "ntfy", events: ["broken"], maxPerHour: 60 },
      { id: "c", type: "slack" },
    ]);
    expect(changed.channels?.[1]).not.toHaveProperty("digestMinutes");
    const left = await ask<Monitor>("PATCH", `/v2/monitor/${id}`, {
      channels: [{ type: "keep", id: "a", quietHours: null }],
    });
    expect(left.channels?.map((channel) => [channel.id, channel["quietHours"]])).toEqual([
      ["a", undefined],
    ]);
    received.length = 0;
    await ask("POST", `/v2/monitor/${id}/test`, {});
    expect(received).toMatchObject([{ path: "/kept", headers: { "x-team": "blue" } }]);
    const unknown = await service.ask(`/v2/monitor/${id}`, {
      method: "PATCH",
      body: { channels: [{ type: "keep", id: "b" }] },
    });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      "channels[0].id: the monitor has no channel b",
    ]);
    const fresh = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: "new",
        schedule: { text: "daily" },
        targets: [{ type: "scrape", urls: [`${base}/page`] }],
        channels: [{ type: "keep", id: "a" }],
      },
    });
    expect([fresh.status, fresh.body.error]).toEqual([400, expect.stringContaining("channels[0]")]);
  });

  it("sends each recipient their own e-mail, with the diff as plain text and HTML", async () => {
    const { id } = await create([{ type: "email", to: ["a@example.org", "b@example.org"] }]);
    await change(id);
    await expect.poll(() => mails.length, { timeout: 10_000 }).toBe(2);
    expect(
      mails.map(({ to }) => to.join()).toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(["a@example.org", "b@example.org"]);
    const [mail] = mails;
    expect(mail?.from).toBe("quarry@example.com");
    expect(mail?.text).toContain("Subject: harbour: Harbour changed");
    const text = decode(mail);
    expect(text).toContain("text/plain");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text.slice(text.indexOf("text/html"))).not.toContain("<script>");
  });

  it("unsubscribes one recipient by the link of their e-mail, not when the page is opened", async () => {
    const { id } = await create(
      [{ id: "m", type: "email", to: ["A@example.org", "b@example.org"] }],
      {
        name: "<img src=x onerror=alert(1)>",
      },
    );
    await change(id);
    await expect.poll(() => mails.length, { timeout: 10_000 }).toBe(2);
    const mail = mails.find(({ to }) => to[0]?.toLowerCase() === "a@example.org");
    const [, link = ""] = /^List-Unsubscribe: <([^>]+)>/im.exec(unfold(mail)) ?? [];
    expect(unfold(mail)).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im);
    expect(decode(mail).split(link).length, "text, HTML and header have the link").toBe(4);
    expect(link).not.toContain("example.org");

    const page = await fetch(link);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).toContain("A@example.org");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
    const statuses = async (): Promise<unknown> =>
      (await ask<Monitor>("GET", `/v2/monitor/${id}`)).emailRecipientSubscriptions?.map(
        ({ status: of }) => of,
      );
    expect(await statuses()).toEqual(["confirmed", "confirmed"]);

    const wrong = `${link.slice(0, -4)}AAAA`;
    expect((await fetch(wrong, { method: "POST" })).status).toBe(404);
    expect((await fetch(link.replace(/monitor\/[^/]+/, "monitor/x"))).status).toBe(404);
    const other = await create([{ type: "email", to: ["A@example.org"] }]);
    expect((await fetch(link.replace(id, other.id), { method: "POST" })).status).toBe(404);
    const done = await fetch(link, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(done.status).toBe(200);
    expect(await statuses()).toEqual(["unsubscribed", "confirmed"]);

    await change(id, "Open on Sundays as well.");
    await expect.poll(() => mails.length, { timeout: 10_000 }).toBe(1);
    expect(mails[0]?.to).toEqual(["b@example.org"]);
    const log = await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
    expect(log[0]).toMatchObject({ channel: "m", recipient: "b@example.org", event: "change" });
  });
});
