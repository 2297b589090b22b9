// How far the reading of a long PDF is: one line that changes on a terminal, lines now and then elsewhere.
import type { ReadOptions } from "../../client/transport.ts";

type Stream = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean | undefined };

/** Between two lines of a stream that is no terminal. */
const LINES_MS = 5_000;
const CLEAR_LINE = "\r\u001B[2K";

/** Does `work`, and says how far it is meanwhile. The line on a terminal goes before what follows it. */
export async function showReading<T>(
  stream: Stream,
  work: (options: Required<Pick<ReadOptions, "onProgress">>) => Promise<T>,
  now: () => number = () => performance.now(),
): Promise<T> {
  const isTerminal = stream.isTTY === true;
  let isShown = false;
  let last = now() - LINES_MS;
  try {
    return await work({
      onProgress: ({ pagesDone, pagesWanted }) => {
        const text = `Reading the document: ${pagesDone} of ${pagesWanted} pages`;
        if (isTerminal) {
          isShown = true;
          stream.write(`${CLEAR_LINE}${text}`);
        } else if (now() - last >= LINES_MS) {
          last = now();
          stream.write(`${text}\n`);
        }
      },
    });
  } finally {
    if (isShown) stream.write(CLEAR_LINE);
  }
}
