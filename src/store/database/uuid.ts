const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the database would take `text` for an id; it refuses the statement otherwise. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
