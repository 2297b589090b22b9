const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True if `text` is a valid id; otherwise the database rejects the statement. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The lowest UUID of version 7 that is made at `ms`, milliseconds since the epoch. */
export function createFirstIdAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
