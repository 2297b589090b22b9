import { QuarryApiError } from "../../../client/errors.ts";
import { ConfigError } from "../../config.ts";
import { StorageError } from "../../errors.ts";
import { toPlainLine } from "./terminal-text.ts";

const KEY_HINT =
  "Give a key with --api-key or QUARRY_API_KEY; the first one is in the file key of the server's data folder.";

const JOB_HINT =
  "The results may have expired, the job may belong to another key, or it is a batch and not a crawl (batch ID).";

/** Describes a failure for a person in one line; invalid settings are listed one per line. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof QuarryApiError) return toOneLine(describeAnswer(error));
  if (!(error instanceof Error)) return toOneLine(String(error));
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const reason = cause && (cause.message || String((cause as NodeJS.ErrnoException).code));
  // fetch only says "fetch failed"; the reason is in the cause.
  if (error instanceof TypeError && reason !== undefined)
    return toOneLine(`${error.message}: ${reason}`);
  // Wrong credentials or a missing bucket; answers of the API do not show them.
  if (error instanceof StorageError && reason !== undefined)
    return toOneLine(`${error.message} Reason: ${reason}`);
  return toOneLine(error.message || error.name);
}

function describeAnswer(error: QuarryApiError): string {
  const faults = Array.isArray(error.details) ? error.details.flatMap(readMessages) : [];
  if (faults.length > 0) return faults.join("; ");
  if (error.status === 404 && /^Job (not found|expired)/.test(error.message))
    return `${error.message.replace(/\.$/, "")}. ${JOB_HINT}`;
  return error.status === 401 ? `${error.message.replace(/\.$/, "")}. ${KEY_HINT}` : error.message;
}

function readMessages(detail: unknown): string[] {
  const message = (detail as { message?: unknown } | null)?.message;
  return typeof message === "string" && message !== "" ? [message] : [];
}

const toOneLine = (text: string): string => toPlainLine(text.replaceAll(/\s*\n\s*/g, " "));
