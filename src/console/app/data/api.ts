// Calls of the public API with the session's cookie. Everything here can be done by a script with a
// key as well.
import type { ErrorBody } from "./wire.ts";
import { hasExpired, session } from "./session.ts";

/** An unsuccessful response, with the API's text. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly details: ErrorBody["details"];
  readonly body: unknown;

  constructor(status: number, body: ErrorBody, requestId: string | undefined) {
    super(body.error ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = body.code;
    this.details = body.details;
    this.requestId = requestId;
    this.body = body;
  }
}

export type CallOptions = {
  readonly body?: object | FormData;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

const UNREACHABLE = "The server is not responding. It may be restarting.";

export function toPath(path: string, query: CallOptions["query"] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Returns the response with any status. Throws ApiError if there is no response. */
export async function send(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const { body, query, headers, signal } = options;
  const { csrfToken } = session.value;
  const isForm = body instanceof FormData;
  try {
    return await fetch(toPath(path, query), {
      method,
      headers: {
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...(csrfToken !== null && method !== "GET" ? { "x-csrf-token": csrfToken } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new ApiError(0, { success: false, error: UNREACHABLE }, undefined);
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text();
  if (response.status === 401 && session.value.mode === "signed-in") hasExpired.value = true;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  try {
    return new ApiError(response.status, JSON.parse(text) as ErrorBody, requestId);
  } catch {
    return new ApiError(response.status, { success: false }, requestId);
  }
}

/** The decoded body of a success. Throws ApiError. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (!response.ok) throw await toApiError(response);
  return (await response.json()) as T;
}
