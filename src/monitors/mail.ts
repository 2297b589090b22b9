// Sends e-mail over the server's SMTP account, through the egress gate.
import { createTransport } from "nodemailer";
import type { Egress } from "../egress/dispatchers.ts";
import { QuarryError } from "../errors.ts";
import type { Outcome } from "../webhooks/send.ts";
import type { Message } from "./message.ts";

export type MailSettings = {
  /** smtp:// or smtps://, with user and password. */
  readonly url: string;
  readonly from: string;
};

export type SendMail = (mail: {
  readonly id: string;
  readonly to: string;
  readonly message: Message;
  readonly unsubscribe: string | undefined;
}) => Promise<Outcome>;

const TIMEOUT_MS = 20_000;
const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Returns a failure as an outcome. */
export function createSendMail(
  { url, from }: MailSettings,
  egress: Pick<Egress, "connect">,
): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const number = Number(port) || (isSecure ? PORTS["smtps:"] : PORTS["smtp:"]);
  const transport = createTransport({
    host: hostname,
    port: number,
    secure: isSecure,
    ...(username !== "" && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, callback) {
      egress.connect(hostname, number, undefined).then(
        (connection) => callback(null, { connection }),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  return async ({ id, to, message, unsubscribe }) => {
    try {
      await transport.sendMail({
        from,
        // An object, so that the address is not parsed as a list.
        to: { name: "", address: to },
        subject: message.title,
        text: message.text,
        html: message.html,
        messageId: `<${id}@quarry>`,
        headers: {
          "auto-submitted": "auto-generated",
          // RFC 8058: mail programs unsubscribe with one click.
          ...(unsubscribe !== undefined && {
            "list-unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
            "list-unsubscribe-post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      return { statusCode: 250, error: undefined };
    } catch (error) {
      return { statusCode: readCode(error), error: describe(error) };
    }
  };
}

const readCode = (error: unknown): number | undefined =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
    ? error.responseCode
    : undefined;

function describe(error: unknown): string {
  if (error instanceof QuarryError) return error.message;
  const code = readCode(error);
  if (code !== undefined) return `The mail server answered ${code}.`;
  const name = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `The mail server could not be reached${name}.`;
}
