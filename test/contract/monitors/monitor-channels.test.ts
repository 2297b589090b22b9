// Each channel of a monitor against a receiver of its wire format, and e-mail against a real SMTP
// server.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Monitor, MonitorCheck } from "../../../src/contract/jobs/monitor-report.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
};
type Mail = { readonly from: string; readonly to: readonly string[]; readonly text: string };

const received: Received[] = [];
const mails: Mail[] = [];
let base: string;
let receiver: string;
let service: Service;
let line = "Open daily from 9 to 17.";
/** Status that the page of the site answers. */
let pageStatus = 200;
/** Status that the receiver answers. */
let status = 200;
let retryAfter: string | undefined;
const close: (() => unknown)[] = [];

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

beforeAll(async () => {
  ({ base } = await openSite((_request, response) => {
    response.writeHead(pageStatus, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p><p>${line}</p></main>`,
    );
  }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>,
      });
      const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      response.writeHead(status, headers).end("ok");
    });
  });
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === "quarry" && password === "pass word"
        ? done(null, { user: username })
        : done(new Error("no")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
  });
  const listen = async (one: NetServer): Promise<void> =>
    await new Promise<void>((resolve) => void one.listen(0, "127.0.0.1", resolve));
  await listen(server);
  await listen(smtp.server);
  const mailPort = (smtp.server.address() as AddressInfo).port;
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService(undefined, {
    egressAllow: [new URL(base).host, new URL(receiver).host, `127.0.0.1:${mailPort}`],
    smtpUrl: new Secret(`smtp://quarry:pass%20word@127.0.0.1:${mailPort}`),
    smtpFrom: "Quarry <quarry@example.com>",
  });
  close.push(
    () => server.close(),
    () => smtp.close(),
  );
});
afterAll(async () => {
  await service.close();
  for (const each of close) each();
  await closeAll();
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await service.ask(path, { method, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as unknown as { data: T }).data;
}

const create = (channels: readonly object[], fields: object = {}): Promise<Monitor> =>
  ask("POST", "/v2/monitor", {
    name: "harbour",
    schedule: { text: "daily" },
    targets: [{ type: "scrape", urls: [`${base}/page`] }],
    detection: { confirmations: 0 },
    channels,
    ...fields,
  });

async function check(id: string, ends = "completed"): Promise<void> {
  const { id: checkId } = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  await expect
    .poll(
      async () => (await ask<MonitorCheck>("GET", `/v2/monitor/${id}/checks/${checkId}`)).status,
      // The first page also starts the conversion thread.
      { timeout: 90_000 },
    )
    .toBe(ends);
}

const unfold = (mail: Mail | undefined): string => (mail?.text ?? "").replaceAll(/\r\n[ \t]/g, " ");
const decode = (mail: Mail | undefined): string =>
  unfold(mail).replaceAll("=\r\n", "").replaceAll("=3D", "=");

/** A line with markup, a mention and a template, for receivers that interpret page text. */
const HOSTILE = "Closed &lt;script&gt;alert(1)&lt;/script&gt; @everyone &lt;!channel&gt; {{7*7}}";

async function change(id: string, next = HOSTILE): Promise<void> {
  line = "Open daily from 9 to 17.";
  await check(id);
  line = next;
  received.length = 0;
  mails.length = 0;
  await check(id);
}

describe.skipIf(isRemote)("channels of monitors", () => {
  it("sends each service its own request format, with page text as plain text", async () => {
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

  it("waits as long as a receiver asks with Retry-After", async () => {
    const { id } = await create([{ id: "room", type: "discord", url: `${receiver}/discord` }]);
    status = 429;
    retryAfter = "7200.5";
    const before = Date.now();
    await change(id);
    const next = async (): Promise<number> => {
      const [entry] = await ask<Record<string, string>[]>("GET", `/v2/monitor/${id}/deliveries`);
      return entry?.["error"] === undefined ? 0 : Date.parse(entry["nextAttemptAt"] ?? "");
    };
    await expect.poll(next, { timeout: 10_000 }).toBeGreaterThan(before + 7_200_000);
    expect(await next()).toBeLessThan(Date.now() + 7_201_000);
    status = 200;
    retryAfter = undefined;
  });

  it("reports the receiver's answer when a channel is tested", async () => {
    const { id } = await create([{ id: "room", type: "slack", url: `${receiver}/slack` }]);
    received.length = 0;
    expect(await ask("POST", `/v2/monitor/${id}/test`, {})).toEqual([
      { channel: "room", delivered: true, error: null },
    ]);
    expect(received).toMatchObject([{ body: { text: expect.stringContaining("test") as string } }]);
    status = 403;
    expect(await ask("POST", `/v2/monitor/${id}/test`, { channel: "room" })).toEqual([
      { channel: "room", delivered: false, error: "The receiver answered 403." },
    ]);
    status = 200;
    const answer = await service.ask(`/v2/monitor/${id}/test`, {
      method: "POST",
      body: { channel: "x" },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "channel: the monitor has no channel x" },
    });
  });

  it("keeps a notification that the receiver refused, with the time of the next attempt", async () => {
    const { id } = await create([{ id: "room", type: "slack", url: `${receiver}/slack` }]);
    status = 500;
    await change(id);
    const log = async () =>
      await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
    await expect.poll(async () => (await log())[0]?.["statusCode"], { timeout: 10_000 }).toBe(500);
    status = 200;
    expect(await log()).toMatchObject([
      {
        channel: "room",
        event: "change",
        state: "waiting",
        attempts: 1,
        error: "The receiver answered 500.",
      },
    ]);
  });

  it("does not notify a change that meets no condition, and gives the reason in the check", async () => {
    const { id } = await create([{ type: "slack", url: `${receiver}/slack` }], {
      when: { conditions: [{ type: "textAppears", text: "for sale" }] },
    });
    await change(id);
    const [first] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
    expect(await ask("GET", `/v2/monitor/${id}/checks/${first?.id}`)).toMatchObject({
      pages: [
        { status: "changed", judgment: { meaningful: false, reason: "No condition is met." } },
      ],
    });
    expect(await ask("GET", `/v2/monitor/${id}/deliveries`)).toEqual([]);
    const dry = await ask<{ notifies: boolean }[]>("POST", `/v2/monitor/${id}/dry-run`, {
      when: { conditions: [{ type: "textAppears", text: "closed" }] },
    });
    expect(dry).toMatchObject([{ changed: true, notifies: true }]);
  });

  it.each([
    [503, "broken", "failed"],
    [410, "change", "completed"],
  ])(
    "notifies that a page can be read again after %i, also when its change meets no condition",
    async (answer, event, ends) => {
      const { id } = await create([{ type: "webhook", url: `${receiver}/hook` }], {
        detection: { confirmations: 0, brokenAfter: 1 },
        when: { conditions: [{ type: "textAppears", text: "for sale" }] },
      });
      line = "Open daily from 9 to 17.";
      received.length = 0;
      await check(id);
      pageStatus = answer;
      await check(id, ends);
      pageStatus = 200;
      line = "Open daily from 10 to 16.";
      await check(id);
      const [newest] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
      expect(await ask("GET", `/v2/monitor/${id}/checks/${newest?.id}`)).toMatchObject({
        pages: [{ status: "changed", event: "recovered", judgment: { meaningful: false } }],
      });
      await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
      expect(received.map(({ body }) => body["data"])).toMatchObject([
        [{ event }],
        [
          {
            event: "recovered",
            pages: [{ reason: "The page can be read again. No condition is met." }],
          },
        ],
      ]);
      // Only once.
      line = "Open daily from 11 to 15.";
      await check(id);
      const log = await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
      expect(log.map((entry) => entry["event"])).toEqual(["recovered", event]);
    },
  );

  it("notifies recovered when a page that was gone comes back unchanged", async () => {
    const { id } = await create([{ type: "webhook", url: `${receiver}/hook` }], {
      detection: { confirmations: 0 },
    });
    line = "Open daily from 9 to 17.";
    received.length = 0;
    for (const status of [200, 410, 200]) {
      pageStatus = status;
      await check(id);
    }
    const [newest] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
    expect(await ask("GET", `/v2/monitor/${id}/checks/${newest?.id}`)).toMatchObject({
      pages: [{ status: "changed", event: "recovered", judgment: null, diff: null }],
    });
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
    expect(received.map(({ body }) => body["data"])).toMatchObject([
      [{ event: "change", pages: [{ reason: "The page is gone." }] }],
      [{ event: "recovered", pages: [{ reason: "The page can be read again." }] }],
    ]);
  });

  it("turns a diff line into a filter for similar lines", async () => {
    const { id } = await create([], { detection: { confirmations: 0, ignoreNoise: false } });
    const feedback = { line: "+Berth 12 is free.", verdict: "ignore" };
    const changed = await ask<Monitor>("POST", `/v2/monitor/${id}/feedback`, feedback);
    expect(changed.detection?.["ignore"]).toEqual([String.raw`^\s*Berth \d+ is free\.\s*$`]);
    line = "Berth 12 is free.";
    await check(id);
    line = "Berth 7 is free.";
    await check(id);
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({ lastCheckSummary: { same: 1 } });
    line = "Berth 7 is taken.";
    await check(id);
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({
      lastCheckSummary: { changed: 1 },
    });
  });
});
