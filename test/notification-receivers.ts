// A server of this project with a page that changes, and receivers that record notifications of
// monitors: one for HTTP and one for e-mail.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect } from "vitest";
import type { Monitor, MonitorCheck } from "../src/contract/jobs/monitor-report.ts";
import { Secret } from "../src/settings/secret.ts";
import { closeAll, openSite } from "./http-fetching.ts";
import { startService, type Service } from "./service.ts";

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
};
export type Mail = { readonly from: string; readonly to: readonly string[]; readonly text: string };

type Answers = {
  /** A line of the page. */
  line: string;
  /** Status of the page. */
  pageStatus: number;
  /** Status of the receiver. */
  status: number;
  retryAfter: string | undefined;
};

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

/** A line with markup, a mention and a template, for receivers that interpret page text. */
const HOSTILE = "Closed &lt;script&gt;alert(1)&lt;/script&gt; @everyone &lt;!channel&gt; {{7*7}}";

/** Opens all of them before the tests of a file, and closes them after. */
export function useNotificationReceivers() {
  const received: Received[] = [];
  const mails: Mail[] = [];
  let base: string;
  let receiver: string;
  let service: Service;
  const answers: Answers = {
    line: "Open daily from 9 to 17.",
    pageStatus: 200,
    status: 200,
    retryAfter: undefined,
  };
  const close: (() => unknown)[] = [];

  beforeAll(async () => {
    ({ base } = await openSite((_request, response) => {
      response.writeHead(answers.pageStatus, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p><p>${answers.line}</p></main>`,
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
        const { status, retryAfter } = answers;
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

  async function change(id: string, next = HOSTILE): Promise<void> {
    answers.line = "Open daily from 9 to 17.";
    await check(id);
    answers.line = next;
    received.length = 0;
    mails.length = 0;
    await check(id);
  }

  return {
    received,
    mails,
    answers,
    ask,
    create,
    check,
    change,
    /** Addresses of the site and of the receiver, and the service; known once the tests run. */
    getOpened: () => ({ base, receiver, service }),
  };
}
