import { describe, expect, it } from "vitest";
import { createEventDisplay, createPlainDisplay, createTerminalDisplay } from "./display.ts";
import type { Paint, Progress } from "../jobs/progress.ts";

const plain: Paint = (_style, text) => text;
const buildProgress = (completed: number, fields: Partial<Progress> = {}): Progress => ({
  title: "Crawling",
  status: "scraping",
  completed,
  total: 10,
  sums: {},
  creditsUsed: completed,
  pagesPerSecond: undefined,
  elapsedMs: 0,
  ...fields,
});

const SEQUENCE = new RegExp(String.raw`(\u001b\[[?0-9]*[A-Za-z]|[\r\n])`);

/** A terminal that supports the few sequences the display uses. */
function buildTerminal(columns = 80) {
  let lines = [""];
  return {
    columns,
    screen: () => lines.join("\n"),
    write(text: string): boolean {
      for (const part of text.split(SEQUENCE)) {
        const up = /(\d+)A$/.exec(part)?.[1];
        if (up !== undefined) lines = [...lines.slice(0, -1 - Number(up)), ""];
        else if (part === "\n") lines.push("");
        else if (part !== "" && !SEQUENCE.test(part)) lines[lines.length - 1] = part;
      }
      return true;
    },
  };
}

describe("progress on a terminal", () => {
  it("redraws progress in place, keeps messages above it, and erases it at the end", () => {
    const terminal = buildTerminal();
    const display = createTerminalDisplay(terminal, plain);
    terminal.write("before\n");
    display.update(buildProgress(1));
    display.say("a line that stays");
    display.update(buildProgress(2, { current: "http://a.test/" }));
    display.update(buildProgress(3));
    expect(terminal.screen()).toBe(
      `before\na line that stays\nCrawling\n${"█".repeat(7)}${"░".repeat(17)}  3 of 10 pages\n0 s · 3 credits\n`,
    );
    display.close();
    display.close();
    expect(terminal.screen()).toBe("before\na line that stays\n");
  });

  it("assumes 80 columns when the terminal reports 0", () => {
    const terminal = buildTerminal(0);
    createTerminalDisplay(terminal, plain).update(buildProgress(3));
    expect(terminal.screen()).toContain("3 of 10 pages");
  });

  it("restores the cursor", () => {
    const written: string[] = [];
    const stream = { columns: 80, write: (text: string) => written.push(text) > 0 };
    const display = createTerminalDisplay(stream, plain);
    display.update(buildProgress(1));
    display.close();
    expect(written.join("").lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      written.join("").lastIndexOf("\u001b[?25l"),
    );
  });
});

it("without a terminal progress is printed every few seconds and when a problem begins or ends", () => {
  let at = 0;
  const lines: string[] = [];
  const display = createPlainDisplay(
    (line) => lines.push(line),
    5_000,
    () => at,
  );
  for (at = 0; at < 11_000; at += 1_000) display.update(buildProgress(at / 1_000));
  display.update(buildProgress(9, { trouble: "away" }));
  display.update(buildProgress(9, { trouble: "away" }));
  display.update(buildProgress(9));
  expect(lines).toEqual([
    "0 of 10 pages",
    "5 of 10 pages",
    "10 of 10 pages",
    "9 of 10 pages, away",
    "9 of 10 pages",
  ]);
});

it("programs get at most one progress event per second", () => {
  let at = 0;
  const events: object[] = [];
  const display = createEventDisplay(
    (event) => events.push(event),
    1_000,
    () => at,
  );
  display.update(buildProgress(1, { pagesPerSecond: 12.345, sums: { fetched: 1 } }));
  at = 999;
  display.update(buildProgress(2));
  at = 1_000;
  display.update(buildProgress(3));
  expect(events).toEqual([
    {
      event: "progress",
      status: "scraping",
      completed: 1,
      total: 10,
      fates: { fetched: 1 },
      creditsUsed: 1,
      pagesPerSecond: 12.3,
      elapsedSeconds: 0,
    },
    expect.objectContaining({ completed: 3 }),
  ]);
});
