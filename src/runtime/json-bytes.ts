// JSON in UTF-8, for storing and sending.

/** Serializes a value as JSON in UTF-8. Throws TypeError for `undefined`, which has no JSON. */
export const toJsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Serializes an object with one more member, whose value is already JSON. */
export function withMember(object: object, name: string, value: Uint8Array): Buffer {
  const members = JSON.stringify(object).slice(1, -1);
  const comma = members === "" ? "" : ",";
  return Buffer.concat([
    Buffer.from(`{${members}${comma}${JSON.stringify(name)}:`),
    value,
    Buffer.from("}"),
  ]);
}
