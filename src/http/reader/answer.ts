// Answers of the reader: text, JSON or an event stream, as Accept requests.
import type { FastifyReply, FastifyRequest } from "fastify";

export const TEXT_TYPES = {
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

export type ReaderAnswer = {
  readonly json: object;
  readonly text: string;
  readonly type: string;
};

/** Browsers reconnect when an event stream ends, which would read the page again and again. */
const RECONNECT_MS = 86_400_000;

/** Writes the answer as Accept requests it. */
export function serialize(
  { headers }: Pick<FastifyRequest, "headers">,
  { json, text, type }: ReaderAnswer,
): { readonly type: string; readonly body: string } {
  const { accept = "" } = headers;
  if (wantsJson({ headers }))
    return {
      type: "application/json; charset=utf-8",
      body: JSON.stringify({ success: true, data: json }),
    };
  if (/\btext\/event-stream\b/i.test(accept))
    return {
      type: "text/event-stream; charset=utf-8",
      body: `retry: ${RECONNECT_MS}\nevent: page\ndata: ${JSON.stringify(json)}\n\n`,
    };
  // Browsers display text/plain but download Markdown.
  return { type: /\btext\/html\b/i.test(accept) ? TEXT_TYPES.text : type, body: text };
}

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReaderAnswer,
): Promise<FastifyReply> {
  const { type, body } = serialize(request, answer);
  return await protect(reply).type(type).send(body);
}

export const wantsJson = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  /\bapplication\/json\b/i.test(headers.accept ?? "");

/** Nothing in the answer runs in a browser, and the address of the page stays here. */
export const protect = (reply: FastifyReply): FastifyReply =>
  reply
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("referrer-policy", "no-referrer");
