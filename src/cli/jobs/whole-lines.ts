import { createReadStream } from "node:fs";

const NEWLINE = 10;

/**
 * Passes the whole lines of a file in order to a callback. Returns the byte offset after the last
 * one: the rest was truncated when its writer ended. A missing file has no lines.
 */
export async function readWholeLines(
  file: string,
  onLine: (line: string) => void,
): Promise<number> {
  let bytes = 0;
  let rest: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, end)]);
        rest = [];
        bytes += line.length + 1;
        from = end + 1;
        onLine(line.toString());
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return bytes;
}
