const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a valid id; otherwise the database rejects the statement. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
