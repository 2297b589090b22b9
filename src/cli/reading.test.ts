import { expect, it } from "vitest";
import { showReading } from "./reading.ts";

/** What is written while 3, 5 and 12 pages are done, a second apart, and then the work ends. */
async function written(isTTY: boolean, end: () => string): Promise<string> {
  const parts: string[] = [];
  const stream = { isTTY, write: (text: unknown) => parts.push(String(text)) > 0 };
  let time = 0;
  const ended = showReading(
    stream,
    async ({ onProgress }) => {
      for (const [pagesDone, at] of [
        [3, 1_000],
        [5, 2_000],
        [12, 7_000],
      ] as const) {
        time = at;
        onProgress?.({ pagesDone, pagesWanted: 12 });
      }
      return end();
    },
    () => time,
  );
  parts.push(await ended.catch((error: Error) => error.message));
  return parts.join("");
}

it("is told in lines now and then", async () => {
  expect(await written(false, () => "text")).toBe(
    "Reading the document: 3 of 12 pages\nReading the document: 12 of 12 pages\ntext",
  );
});

it("is told on a terminal in one line, which goes with the end, also with a bad one", async () => {
  const line = (pages: number): string => `\r\u001B[2KReading the document: ${pages} of 12 pages`;
  const shown = `${line(3)}${line(5)}${line(12)}\r\u001B[2K`;
  expect(await written(true, () => "text")).toBe(`${shown}text`);
  const fail = (): string => {
    throw new Error("too late");
  };
  expect(await written(true, fail)).toBe(`${shown}too late`);
  expect(await showReading({ isTTY: true, write: () => true }, async () => "quick")).toBe("quick");
});
