import { afterEach, expect, it, vi } from "vitest";
import { withSpinner } from "./spinner.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Returns the output when the clock reaches each of these times and the work then ends. */
async function written(
  { isTTY, columns = 80, ci = "" }: { isTTY: boolean; columns?: number; ci?: string },
  times: readonly number[],
  onTick: (report: (pagesDone: number) => void, at: number) => void = () => undefined,
): Promise<string[]> {
  vi.stubEnv("CI", ci);
  const parts: string[] = [];
  let at = 0;
  let tick: () => void = () => undefined;
  const clock = {
    now: () => at,
    every: (_ms: number, call: () => void) => {
      tick = call;
      return () => (tick = () => undefined);
    },
  };
  const stream = { isTTY, columns, write: (text: unknown) => parts.push(String(text)) > 0 };
  await withSpinner(
    stream,
    "Scraping https://example.com/a/long/address/",
    async ({ onProgress }) => {
      for (const time of times) {
        at = time;
        onTick((pagesDone) => {
          onProgress?.({ pagesDone, pagesWanted: 12 });
        }, time);
        tick();
      }
    },
    clock,
  );
  return parts;
}

const CLEAR = "\r\u001B[2K";

it("shows no spinner for work that ends within a second", async () => {
  expect(await written({ isTTY: true }, [200, 999])).toEqual([]);
});

it("shows the elapsed seconds and erases the spinner at the end", async () => {
  expect(await written({ isTTY: true }, [500, 1_000, 2_500])).toEqual([
    `${CLEAR}⠋ Scraping https://example.com/a/long/address/ · 1 s`,
    `${CLEAR}⠙ Scraping https://example.com/a/long/address/ · 2 s`,
    CLEAR,
  ]);
});

it("keeps the spinner on one line on a narrow terminal", async () => {
  const [line = ""] = await written({ isTTY: true, columns: 30 }, [12_000]);
  expect(line.replace(CLEAR, "").length).toBeLessThan(30);
  expect(line).toMatch(/… · 12 s$/);
});

it("shows no spinner without a terminal or in CI", async () => {
  expect(await written({ isTTY: false }, [5_000, 20_000])).toEqual([]);
  expect(await written({ isTTY: true, ci: "true" }, [5_000, 20_000])).toEqual([]);
});

it("reports the pages of a long document, in place on a terminal and every 5 seconds elsewhere", async () => {
  const report = (tell: (pages: number) => void, at: number): void => tell(at / 1_000);
  expect(await written({ isTTY: true }, [3_000], report)).toEqual([
    `${CLEAR}⠋ Reading the document: 3 of 12 pages · 3 s`,
    CLEAR,
  ]);
  expect(await written({ isTTY: false }, [1_000, 2_000, 7_000], report)).toEqual([
    "Reading the document: 1 of 12 pages\n",
    "Reading the document: 7 of 12 pages\n",
  ]);
});
