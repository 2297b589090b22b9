// The administrative routes of the running server, for whoever may read its data folder.
import { QuarryError } from "../errors.ts";

export type AskAdmin = (method: string, path: string, body?: object) => Promise<unknown>;

export function askAdmin(
  send: (url: string, init: RequestInit) => Promise<Response>,
  base: string,
  token: string,
): AskAdmin {
  return async (method, path, body) => {
    const response = await send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      success: boolean;
      error?: string;
      data?: unknown;
      details?: { message: string }[];
    };
    if (answer.success) return answer.data;
    const details = answer.details?.map(({ message }) => message).join("; ");
    throw new QuarryError("BAD_REQUEST", details ?? answer.error ?? "The server refused.");
  };
}
