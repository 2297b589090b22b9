// How far the reading of a long PDF is: one line that changes on a terminal, lines now and then elsewhere.
import type { ReadingEar } from "../engines/document.ts";

type Stream = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean | undefined };

const TERMINAL_MS = 500;
const LINES_MS = 5_000;

export function readingEar(stream: Stream): ReadingEar {
  const isTerminal = stream.isTTY === true;
  return {
    everyMs: isTerminal ? TERMINAL_MS : LINES_MS,
    onProgress({ pagesDone, pagesWanted }) {
      const text = `Reading the document: ${pagesDone} of ${pagesWanted} pages`;
      const isLast = pagesDone >= pagesWanted;
      // The line goes with the last page: what follows is the document.
      stream.write(isTerminal ? `\r\u001B[2K${isLast ? "" : text}` : `${text}\n`);
    },
  };
}
