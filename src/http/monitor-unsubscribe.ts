// Unsubscribe pages of monitor e-mail. GET asks for confirmation, because mail scanners open links;
// POST unsubscribes, also for the one-click button of mail programs (RFC 8058). The link is the
// authority: no key, no cookie.
import type { FastifyInstance, FastifyReply } from "fastify";
import { RequestError } from "../errors.ts";
import { escapeHtml } from "../monitors/message.ts";
import type { Monitors, Subscription } from "../monitors/monitors.ts";
import { UNSUBSCRIBE_PATH } from "../monitors/recipients.ts";

type Params = { readonly id: string; readonly token: string };

const MAX_BODY_BYTES = 16_384;
const STYLE =
  "body{font:16px system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}";

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${body}</body></html>
`;
}

const renderQuestion = ({ recipient, monitorName }: Subscription): string =>
  renderPage(
    "Unsubscribe",
    `<p>Stop e-mail about the monitor “${escapeHtml(monitorName)}” to ${escapeHtml(recipient)}?</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  );

const renderDone = ({ recipient, monitorName }: Subscription): string =>
  renderPage(
    "Unsubscribed",
    `<p>${escapeHtml(recipient)} gets no more e-mail about the monitor “${escapeHtml(monitorName)}”.</p>`,
  );

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header("content-type", "text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .send(html);

export function serveUnsubscribe(
  server: FastifyInstance,
  { monitors }: { readonly monitors: Monitors },
): void {
  server.register(async (scope) => {
    // Mail programs send a form; its content does not matter.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null));
    const find = async (params: Params, isFinal: boolean): Promise<Subscription> => {
      const found = isFinal
        ? await monitors.unsubscribe(params.id, params.token)
        : await monitors.findSubscription(params.id, params.token);
      if (found === undefined)
        throw new RequestError("NOT_FOUND", "This unsubscribe link is not valid any more.");
      return found;
    };
    scope.get<{ Params: Params }>(`${UNSUBSCRIBE_PATH}/:id/:token`, async ({ params }, reply) => {
      const found = await find(params, false);
      return await send(reply, found.isUnsubscribed ? renderDone(found) : renderQuestion(found));
    });
    scope.post<{ Params: Params }>(
      `${UNSUBSCRIBE_PATH}/:id/:token`,
      { bodyLimit: MAX_BODY_BYTES },
      async ({ params }, reply) => await send(reply, renderDone(await find(params, true))),
    );
  });
}
