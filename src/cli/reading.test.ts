import { expect, it } from "vitest";
import { readingEar } from "./reading.ts";

const written = (isTTY: boolean): { said: string; everyMs: number } => {
  const parts: string[] = [];
  const ear = readingEar({ isTTY, write: (text: unknown) => parts.push(String(text)) > 0 });
  ear.onProgress({ pagesDone: 3, pagesWanted: 12 });
  ear.onProgress({ pagesDone: 12, pagesWanted: 12 });
  return { said: parts.join(""), everyMs: ear.everyMs };
};

it("tells how far a document is in lines, or in one line that goes in the end", () => {
  const lines = written(false);
  expect(lines.said).toBe(
    "Reading the document: 3 of 12 pages\nReading the document: 12 of 12 pages\n",
  );
  const terminal = written(true);
  expect(terminal.said).toBe("\r\u001B[2KReading the document: 3 of 12 pages\r\u001B[2K");
  expect(terminal.everyMs).toBeLessThan(lines.everyMs);
});
