import { STATUS_CODES } from "../runtime/node-http.ts";

/**
 * Returns metadata.error of a page with an error status, such as "404 Not Found"; undefined for a
 * good status.
 */
export function findStatusText(statusCode: number): string | undefined {
  if (statusCode < 400) return undefined;
  const reason = STATUS_CODES[statusCode];
  return reason === undefined ? `HTTP status ${statusCode}` : `${statusCode} ${reason}`;
}
