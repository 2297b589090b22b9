// The running server's admin routes, for users who may read its data folder.
import { reviveError } from "../../../client/errors.ts";

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
    const answer = (await response.json()) as { success: boolean; data?: unknown };
    if (answer.success) return answer.data;
    throw reviveError(response.status, answer);
  };
}
