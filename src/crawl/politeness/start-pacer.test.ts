import { setImmediate as settled, setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLocalHosts } from "../../store/jobs/hosts.ts";
import { StartPacer } from "./start-pacer.ts";

const NOW = 1_000_000;
const LONG_MS = 60_000;

/** StartPacer on a stopped clock, and the times they reserved. */
function build() {
  const reserved: number[] = [];
  const local = createLocalHosts();
  const pacer = new StartPacer(
    {
      async takeTurns(ask) {
        const at = await local.takeTurns(ask);
        reserved.push(at - NOW);
        return at;
      },
    },
    () => NOW,
  );
  return { pacer, reserved };
}

type Page = { readonly leave: AbortController; readonly outcome: Promise<string> };

function enter(pacer: StartPacer, name = "a.test", delayMs = LONG_MS): Page {
  const leave = new AbortController();
  const outcome = pacer.waitForStart(name, delayMs, leave.signal).then(
    () => "started",
    () => "left",
  );
  return { leave, outcome };
}

const stateOf = async ({ outcome }: Page): Promise<string> =>
  Promise.race([outcome, settled("waits")]);

describe("StartPacer", () => {
  it("reserves a start time only for the first page of a queue", async () => {
    const { pacer, reserved } = build();
    const pages = Array.from({ length: 30 }, () => enter(pacer));
    expect(await Promise.all(pages.map(stateOf))).toEqual([
      "started",
      ...Array<string>(29).fill("waits"),
    ]);
    expect(reserved).toEqual([0, LONG_MS]);
    for (const { leave } of pages) leave.abort();
  });

  it("reuses the reserved time when pages are released, even the first in line", async () => {
    const { pacer, reserved } = build();
    const [first, second, ...others] = Array.from({ length: 30 }, () => enter(pacer));
    const last = others.pop();
    if (first === undefined || second === undefined || last === undefined) throw new Error();
    await first.outcome;
    await settled();
    for (const { leave } of [second, ...others]) leave.abort();
    await Promise.all(others.map(({ outcome }) => outcome));
    expect(await stateOf(last)).toBe("waits");
    expect(reserved).toEqual([0, LONG_MS]);
    last.leave.abort();
    expect(await last.outcome).toBe("left");
  });

  it("supports a delay longer than a timer's maximum", async () => {
    const { pacer } = build();
    await enter(pacer, "a.test", 1e12).outcome;
    const waiting = enter(pacer, "a.test", 1e12);
    await pause(20);
    expect(await stateOf(waiting)).toBe("waits");
    waiting.leave.abort();
  });

  it("keeps queues independent and skips pages that left theirs", async () => {
    const { pacer } = build();
    await enter(pacer).outcome;
    const waiting = enter(pacer);
    expect(await stateOf(waiting)).toBe("waits");
    expect(await enter(pacer, "b.test").outcome).toBe("started");
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(pacer.waitForStart("c.test", LONG_MS, gone)).rejects.toThrow("gone");
    waiting.leave.abort();
  });
});
