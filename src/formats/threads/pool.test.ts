import { afterEach, describe, expect, it } from "vitest";
import { deriveInput } from "../../../test/derive-input.ts";
import { Deadline } from "../../deadline.ts";
import type { DeriveInput } from "../derivation.ts";
import { createFormatPool, type FormatPool } from "./pool.ts";

const input = (html: string): DeriveInput => deriveInput(html, { onlyMainContent: false });

const SMALL = input("<p>small</p>");
const LARGE = input(`<p>large</p>${"<p>words and <b>more</b> words</p>".repeat(150_000)}`);

/** Too small for a large-page thread and too large for the main thread. */
const LONG = deriveInput(`<table>${"<tr><td><b>cell</b>".repeat(60_000)}</table>`, {
  formats: [{ type: "markdown" }, { type: "html" }],
});
const SHORT = input("<p>words and <b>more</b> words</p>".repeat(1_000));

let pool: FormatPool;

afterEach(async () => {
  await pool.close();
});

describe("format pool", () => {
  it("keeps converting other pages while a large one runs", async () => {
    pool = createFormatPool({ threads: 1, memoryMiB: 1024 });
    using deadline = Deadline.start(110_000);
    await pool.warm();
    const order: string[] = [];
    const large = pool.derive(LARGE, deadline).then(() => order.push("large"));
    const small = pool.derive(SMALL, deadline).then(() => order.push("small"));
    await Promise.all([large, small]);
    expect(order).toEqual(["small", "large"]);
  });

  it("keeps converting other pages while a slow one runs", async () => {
    pool = createFormatPool({ threads: 1, memoryMiB: 1024, longMs: 1 });
    using deadline = Deadline.start(110_000);
    await pool.warm();
    // Starts the second thread, which may take longer than the slow page on a busy machine.
    await Promise.all([pool.derive(SHORT, deadline), pool.derive(SHORT, deadline)]);
    const order: string[] = [];
    const long = pool.derive(LONG, deadline).then(() => order.push("long"));
    const short = pool.derive(SHORT, deadline).then(() => order.push("short"));
    await Promise.all([long, short]);
    expect(order).toEqual(["short", "long"]);
  });

  it("reports no fault while threads start or are busy", async () => {
    pool = createFormatPool({ threads: 1, memoryMiB: 1024, longMs: 60_000 });
    using deadline = Deadline.start(110_000);
    const nextOf = (work: Promise<unknown>): Promise<unknown> =>
      Promise.race([
        work.then(() => "fine"),
        new Promise((resolve) => void setImmediate(resolve, "waiting")),
      ]);
    expect(await nextOf(pool.warm())).toBe("waiting");
    expect(await nextOf(pool.check())).toBe("fine");
    await pool.warm();
    const busy = pool.derive(LONG, deadline);
    expect(await nextOf(pool.check())).toBe("fine");
    await busy;
  });

  it("ends work at its deadline and lets another thread take the next page", async () => {
    pool = createFormatPool({ threads: 1, memoryMiB: 1024 });
    using short = Deadline.start(20);
    await expect(pool.derive(LARGE, short)).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    using deadline = Deadline.start(110_000);
    const { document } = await pool.derive(SMALL, deadline);
    expect(document.markdown).toContain("small");
  });

  it("retries a page with more memory when it exceeds an ordinary thread", async () => {
    const hungry = input("<p>words and <b>more</b> words</p>".repeat(60_000));
    pool = createFormatPool({ threads: 1, memoryMiB: 1024, ordinaryMiB: 40 });
    using deadline = Deadline.start(110_000);
    const { document } = await pool.derive(hungry, deadline);
    expect(document.markdown?.length).toBeGreaterThan(1_000_000);
    await pool.close();
    pool = createFormatPool({ threads: 1, memoryMiB: 40, ordinaryMiB: 40 });
    await expect(pool.derive(hungry, deadline)).rejects.toMatchObject({
      code: "SCRAPE_RESPONSE_TOO_LARGE",
    });
  });
});
