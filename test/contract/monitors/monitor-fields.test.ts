// Every text that a monitor takes, listed from its schema: markup (XSS), addresses inside the network
// (SSRF), lines in headers, secrets at rest and in answers; and every route that writes, called from
// another site (CSRF). A new field or route without a case fails here.
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Monitor, MonitorCheck } from "../../../src/contract/jobs/monitor-report.ts";
import { createTestConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/logger.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { openStore } from "../../../src/store/store.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { CASES, listFields, type Kind } from "./monitor-field-list.ts";

const MARK = `"><img src=x onerror=globalThis.broken=1>`;
const SCRIPT = "&lt;script&gt;globalThis.broken=2&lt;/script&gt;";

const FIELDS = listFields();
const kindsOf = (field: string): Kind[] =>
  CASES.filter(([pattern]) => pattern.test(field)).map(([, kind]) => kind);
const listOf = (kind: Kind): string[] => FIELDS.filter((field) => kindsOf(field)[0] === kind);

let base: string;
let inner: string;
let receiver: string;
let service: Service;
let line = "Open.";
const asked: string[] = [];
const received: { readonly path: string; readonly body: string }[] = [];
const mails: string[] = [];
const close: (() => unknown)[] = [];

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

beforeAll(async () => {
  ({ base } = await openSite((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<title>${SCRIPT}</title><main><h1>Harbour</h1><p>${FILLER}</p><p>${line}</p></main>`,
    );
  }));
  ({ base: inner } = await openSite((request, response) => {
    asked.push(request.url ?? "");
    response.end("<h1>Internal</h1>");
  }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString("utf8") });
      response.end("ok");
    });
  });
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString("utf8"));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", () => resolve()));
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailHost = `127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  service = await startService(undefined, {
    egressAllow: [new URL(base).host, new URL(receiver).host, mailHost],
    smtpUrl: new Secret(`smtp://${mailHost}`),
    smtpFrom: "Quarry <quarry@example.com>",
    browser: "none",
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

type Fields = Record<string, unknown>;

/** The smallest valid part with this label. */
function exampleOf(list: string, label: string): Fields {
  const type = label;
  if (list === "targets") {
    if (type === "scrape") return { type, urls: [`${base}/page`] };
    if (type === "search") return { type, queries: ["harbour"] };
    return { type, url: `${base}/` };
  }
  if (list === "channels") {
    if (type === "email") return { type, to: ["a@example.com"] };
    const tokens: Record<string, Fields> = {
      telegram: { token: "t", chatId: "1" },
      gotify: { token: "t" },
      matrix: { token: "t", roomId: "!a:b" },
      pushover: { token: "t", user: "u" },
    };
    return { type, url: `${receiver}/${type}`, ...tokens[type] };
  }
  if (type.startsWith("text")) return { type, text: "a" };
  if (type === "fieldEquals") return { type, field: "a", value: 1 };
  return type === "fieldChanged" ? { type, field: "a" } : { type, value: 1 };
}

/** A request with one field set; `more` are its other fields. */
function buildRequest(field: string, value: unknown, more: Fields = {}): Fields {
  const request: Fields = {
    name: "hostile",
    schedule: { timezone: "UTC", ...(field !== "schedule.cron" && { text: "daily" }) },
    targets: [exampleOf("targets", "scrape")],
    detection: { confirmations: 0, ignoreNoise: false },
    judgeEnabled: false,
    ...structuredClone(more),
  };
  let place: Fields = request;
  const steps = field.split(".");
  for (const [index, step] of steps.entries()) {
    const [, name = "", isList, label] = /^(\w+|\*)(\[\])?(?:<(\w+)>)?$/.exec(step) ?? [];
    const isLast = index === steps.length - 1;
    const key = name === "*" ? "x-any" : name;
    if (isLast) {
      place[key] = isList === undefined ? value : [value];
      continue;
    }
    if (isList === undefined) {
      place[key] ??= {};
      place = place[key] as Fields;
      continue;
    }
    const known = label === undefined ? [] : ((place[key] ?? []) as Fields[]);
    let item = known.find(({ type }) => type === label);
    if (item === undefined) {
      item = label === undefined ? { key: "x-any", value: "v" } : exampleOf(key, label);
      known.push(item);
    }
    place[key] = known;
    place = item;
  }
  if (field.startsWith("webhook.")) (request["webhook"] as Fields)["url"] ??= `${receiver}/hook`;
  if (field.endsWith("quietHours.from") || field.endsWith("quietHours.to"))
    Object.assign(place, { from: "22:00", to: "07:00", [steps.at(-1) ?? ""]: value });
  if (field.startsWith("schedule.window"))
    Object.assign(place, { from: "08:00", to: "18:00", [steps.at(-1) ?? ""]: value });
  if (field === "schedule.cron") delete place["text"];
  return request;
}

const send = (body: object) => service.ask("/v2/monitor", { method: "POST", body });

async function ask<T>(method: string, at: string, body?: object): Promise<T> {
  const answer = await service.ask(at, { method, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as unknown as { data: T }).data;
}

async function check(id: string, next: string): Promise<MonitorCheck> {
  line = next;
  const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  const read = () => ask<MonitorCheck>("GET", `/v2/monitor/${id}/checks/${started.id}`);
  await expect
    .poll(async () => (await read()).status, { timeout: 60_000 })
    .not.toMatch(/queued|running/);
  return await read();
}

const INTERNAL = () => [
  inner,
  "http://169.254.169.254/latest",
  "http://[::1]:80/",
  "http://0x7f000001/",
  "http://user@10.0.0.1/",
  "file:///etc/passwd",
];

/** All answers of the API about a monitor, by route. */
async function readAnswers(id: string): Promise<Map<string, { text: string; headers: Headers }>> {
  const checks = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
  const routes = [
    "/v2/monitor?limit=100",
    `/v2/monitor/${id}`,
    `/v2/monitor/${id}/checks`,
    ...checks.map((one) => `/v2/monitor/${id}/checks/${one.id}`),
    `/v2/monitor/${id}/deliveries`,
    "/v2/changes",
    "/v2/team/activity",
  ];
  const answers = new Map<string, { text: string; headers: Headers }>();
  for (const route of routes) {
    const { text, headers } = await service.ask(route);
    answers.set(route, { text, headers });
  }
  const dry = await service.ask(`/v2/monitor/${id}/dry-run`, { method: "POST", body: {} });
  answers.set("dry-run", { text: dry.text, headers: dry.headers });
  const { feedUrl = "" } = await ask<Monitor>("GET", `/v2/monitor/${id}`);
  const feed = await fetch(feedUrl);
  answers.set("feed", { text: await feed.text(), headers: feed.headers });
  const rss = await fetch(`${feedUrl}.rss`);
  answers.set("rss", { text: await rss.text(), headers: rss.headers });
  return answers;
}

describe.skipIf(isRemote)("fields of a monitor", () => {
  it("every monitor field has one case", () => {
    expect(FIELDS.length).toBeGreaterThan(90);
    expect(FIELDS.filter((field) => kindsOf(field).length !== 1)).toEqual([]);
    expect(CASES.filter(([pattern]) => !FIELDS.some((field) => pattern.test(field)))).toEqual([]);
  });

  it.each(listOf("checked"))("rejects markup in %s", async (field) => {
    const answer = await send(buildRequest(field, MARK));
    expect(answer.status, answer.text).toBe(400);
    expect(answer.headers.get("content-type")).toContain("application/json");
  });

  it.each(listOf("address"))("rejects addresses inside the network in %s", async (field) => {
    for (const address of INTERNAL()) {
      const answer = await send(buildRequest(field, address));
      expect(answer.status, `${address}: ${answer.text}`).toBe(400);
    }
    const { id } = await ask<Monitor>("POST", "/v2/monitor", buildRequest("name", "plain"));
    const { name: _, schedule: _s, targets: _t, ...update } = buildRequest(field, inner);
    const changed = await service.ask(`/v2/monitor/${id}`, { method: "PATCH", body: update });
    expect(changed.status, changed.text).toBe(400);
    expect(asked).toEqual([]);
  });

  it.each(listOf("page"))(
    "reports %s inside the network as broken without a request",
    async (field) => {
      for (const address of INTERNAL()) {
        const answer = await send({
          ...buildRequest(field, address),
          targets: (buildRequest(field, address)["targets"] as Fields[]).filter((target) =>
            JSON.stringify(target).includes(JSON.stringify(address).slice(1, -1)),
          ),
        });
        if (answer.status === 400) continue;
        expect(answer.status, answer.text).toBe(200);
        const { id } = (answer.body as unknown as { data: Monitor }).data;
        expect((await check(id, "Open.")).summary, address).toMatchObject({
          totalPages: 1,
          error: 1,
        });
      }
      expect(asked).toEqual([]);
    },
  );

  it.each([...listOf("secret").filter((field) => field.includes("headers")), ...listOf("header")])(
    "rejects line breaks in %s",
    async (field) => {
      const answer = await send(buildRequest(field, "a\r\nx-injected: 1"));
      expect(answer.status, answer.text).toBe(400);
    },
  );

  it.each(listOf("shown"))("stores markup in %s and returns it as JSON only", async (field) => {
    const answer = await send(buildRequest(field, MARK));
    expect(answer.status, answer.text).toBe(200);
    const { id } = (answer.body as unknown as { data: Monitor }).data;
    for (const [route, { text, headers }] of await readAnswers(id)) {
      if (route === "feed" || route === "rss") expect(text).not.toMatch(/<(?:img|script)/);
      else expect(headers.get("content-type"), route).toContain("application/json");
    }
    await ask("DELETE", `/v2/monitor/${id}`);
  });

  it("shows markup of fields and pages as text in e-mail, feed, unsubscribe page and messages", async () => {
    let request: Fields = { channels: [{ type: "email", to: ["a@example.com"] }] };
    for (const field of listOf("shown"))
      if (!/^targets|^when|^detection|chatId|roomId|integration/.test(field))
        request = buildRequest(field, field.endsWith(".id") ? `${MARK}${field}` : MARK, request);
    request["name"] = `${MARK}\r\nBcc: b@example.com`;
    const { id } = await ask<Monitor>("POST", "/v2/monitor", request);
    await check(id, "Open.");
    received.length = 0;
    mails.length = 0;
    const changed = await check(
      id,
      `${SCRIPT} &lt;!channel&gt; @everyone [a](javascript:alert(1))`,
    );
    expect(changed.summary.changed).toBe(1);
    await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(1);
    const paths = ["webhook", "slack", "discord", "teams", "mattermost", "apprise"];
    await expect
      .poll(() => paths.filter((name) => !received.some(({ path: at }) => at.includes(name))), {
        timeout: 20_000,
      })
      .toEqual([]);
    const mail = (mails[0] ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(mail).toContain("&lt;script&gt;globalThis.broken=2");
    expect(mail.slice(mail.indexOf("text/html"))).not.toMatch(/<(?:img|script)/);
    expect(mail).not.toMatch(/^bcc:/im);
    const link =
      /https?:\/\/[^\s>"]+\/monitors?\/unsubscribe\/[^\s>"]+|list-unsubscribe: <([^>]+)>/i.exec(
        mails[0]?.replaceAll(/\r\n\s+/g, " ") ?? "",
      );
    const page = await fetch((link?.[1] ?? link?.[0] ?? "").trim());
    const html = await page.text();
    expect(page.status, html).toBe(200);
    expect(html).toContain("&lt;img src=x");
    expect(html).not.toMatch(/<(?:img|script)/);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const feed = (await readAnswers(id)).get("feed")?.text ?? "";
    expect(feed).toContain("globalThis.broken=2");
    expect(feed).not.toMatch(/<(?:img|script)/);
    // The description of RSS is HTML after one decoding.
    const rss = (await readAnswers(id)).get("rss")?.text ?? "";
    expect(rss).toContain("globalThis.broken=2");
    const descriptions = [...rss.matchAll(/<description>(&lt;pre.*?)<\/description>/gs)];
    expect(descriptions.length).toBeGreaterThan(0);
    for (const [, html = ""] of descriptions)
      expect(html.replaceAll("&lt;", "<")).not.toMatch(/<(?:img|script)/);
    const bodyOf = (name: string): string =>
      received.find(({ path: at }) => at.includes(name))?.body ?? "";
    expect(bodyOf("slack")).not.toContain("<!channel>");
    expect(bodyOf("mattermost")).not.toMatch(/(?<!\u200b)@everyone/);
    expect(JSON.parse(bodyOf("discord"))).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  it("keeps secrets encrypted in every table and file, and returns them by no route", async () => {
    const secrets: string[] = [];
    const create = (field: string): string => {
      const secret = `sekret-${secrets.length}-${Math.random().toString(36).slice(2)}`;
      secrets.push(secret);
      return field.endsWith("url") ? `${receiver}/${secret}` : secret;
    };
    let request: Fields = {};
    expect(listOf("address")[0]).toBe("webhook.url");
    for (const field of [...listOf("address"), ...listOf("secret")])
      if (!field.includes("headers[]")) request = buildRequest(field, create(field), request);
    (request["targets"] as Fields[])[0] = {
      type: "scrape",
      urls: [`${base}/page`],
      scrapeOptions: { headers: { authorization: create("header") } },
    };
    expect(secrets.length).toBeGreaterThan(18);
    const { id } = await ask<Monitor>("POST", "/v2/monitor", request);
    await check(id, "Open at one.");
    received.length = 0;
    await check(id, "Open at two.");
    await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThan(11);
    await service.ask(`/v2/monitor/${id}/test`, { method: "POST", body: {} });
    // Each was used, so it is there.
    for (const secret of secrets.slice(0, 5))
      expect(received.map(({ path: at }) => at).join(" ")).toContain(secret);
    const leaks = (text: string): string[] => secrets.filter((secret) => text.includes(secret));
    // The wire contract returns the address of `webhook`.
    const [own] = secrets;
    for (const [route, { text }] of await readAnswers(id))
      expect(
        leaks(text).filter((secret) => secret !== own),
        route,
      ).toEqual([]);
    expect(leaks(service.log()), "log").toEqual([]);
    await service.stop();
    const store = await openStore(
      createTestConfig({ dataDir: service.dataDir }),
      createLogger("silent"),
    );
    try {
      const { kysely } = store.database;
      const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = 'public'`.execute(kysely);
      expect(rows.map(({ name }) => name)).toContain("monitors");
      for (const { name } of rows) {
        const found = await sql<{ row: string }>`select row_to_json(t)::text as row
          from ${sql.table(name)} as t`.execute(kysely);
        const text = found.rows.map(({ row }) => row).join("\n");
        if (name === "monitors") expect(text).toContain("hostile");
        expect(leaks(text), name).toEqual([]);
      }
    } finally {
      await store.close();
    }
    let files = 0;
    for (const entry of await readdir(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      files += 1;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      const found = secrets.filter((secret) => bytes.includes(secret));
      expect(found, path.join(entry.parentPath, entry.name)).toEqual([]);
    }
    expect(files).toBeGreaterThan(100);
  });
});
