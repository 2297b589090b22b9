import { InternalError, QuarryError, StorageError } from "../../errors.ts";

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 57P (operator intervention) and the socket
 * errors beside them.
 */
const CONNECTION_ERROR =
  /^(08|53|57P)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$|^ENOENT$|^ENOTFOUND$/;

/**
 * Translates a database error: UNAVAILABLE when a retry can work, otherwise InternalError. Keeps
 * the cause.
 */
export function translateDatabaseError(error: unknown): QuarryError {
  if (error instanceof QuarryError) return error;
  const code = (error as { code?: string } | undefined)?.code ?? "";
  const text = error instanceof Error ? error.message : String(error);
  const lost =
    CONNECTION_ERROR.test(code) ||
    /connection terminated|is not queryable|timeout exceeded when trying to connect|query read timeout/i.test(
      text,
    );
  return lost
    ? new StorageError("database", "The database cannot be reached or written right now.", {
        cause: error,
      })
    : new InternalError(
        `The database refused a statement${code === "" ? "" : ` (${code})`}: ${text}`,
        {
          cause: error,
        },
      );
}

/** Awaits `work` and translates its errors. */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

/** PostgreSQL type oid of int8. Ids and counts stay far below 2^53, so numbers are exact. */
export const INT8 = 20;
