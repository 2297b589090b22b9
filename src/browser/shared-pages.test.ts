import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import { resetHistory } from "./shared-pages.ts";

/** A session whose first `failures` commands fail with `message`; `sent` counts all. */
function buildSession(failures: number, message: string) {
  const counts = { sent: 0 };
  const send = async (): Promise<void> => {
    counts.sent += 1;
    if (counts.sent <= failures) throw new Error(message);
  };
  return { counts, session: { send } as unknown as Pick<CDPSession, "send"> };
}

describe("resetHistory", () => {
  it("tries again while the empty document is not active yet, five times at most", async () => {
    const message = "Protocol error (Page.resetNavigationHistory): Not attached to an active page";
    const early = buildSession(2, message);
    await resetHistory(early.session);
    expect(early.counts.sent).toBe(3);
    const never = buildSession(9, message);
    await expect(resetHistory(never.session)).rejects.toThrow("Not attached");
    expect(never.counts.sent).toBe(5);
  });

  it("rejects with any other error at once", async () => {
    const { session, counts } = buildSession(1, "Session closed.");
    await expect(resetHistory(session)).rejects.toThrow("Session closed.");
    expect(counts.sent).toBe(1);
  });
});
