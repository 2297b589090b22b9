// Input that is not valid HTTP or does not arrive in time never becomes a request: the standard
// error body is written to the connection.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ConnectionError } from "fastify";
import { STATUS_CODES } from "../../runtime/node-http.ts";
import type { ErrorBody } from "./on-error.ts";

/** Answers 400, 408 or 431 and closes the connection, because nothing can follow invalid bytes. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) {
    socket.destroy();
    return;
  }
  const [status, text] = describe(error.code);
  // 408 and 431 have no code in the contract's table: the status is enough.
  const body: ErrorBody = { success: false, error: text };
  if (status === 400) body.code = "BAD_REQUEST";
  endWith(socket, status, body);
}

/** Writes a whole response and closes the connection, when there is no response object. */
export function endWith(stream: Duplex, status: number, body: ErrorBody): void {
  if (!stream.writable) {
    stream.destroy();
    return;
  }
  const json = JSON.stringify(body);
  stream.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(json)}`,
      ...(status === 503 ? ["Retry-After: 1"] : []),
      "Connection: close",
      "",
      json,
    ].join("\r\n"),
    () => stream.destroy(),
  );
}

function describe(code: string): [status: number, text: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, "The request headers are larger than 16 KB, the limit of this server."];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [408, "The request did not arrive within 60 seconds."];
    default:
      return [400, "This is not a valid HTTP request."];
  }
}
