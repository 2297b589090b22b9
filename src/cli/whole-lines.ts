import { createReadStream } from "node:fs";

const NEWLINE = 10;

/**
 * Hands out the whole lines of a file, in order, and returns where the last one ends, in bytes: what follows was cut off by
 * the end of the process that wrote it. A file that is not there has none.
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
