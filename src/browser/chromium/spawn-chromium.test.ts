import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { MESSAGE_LIMITS } from "./bounded-messages.ts";
import { spawnChromium } from "./spawn-chromium.ts";

it.runIf(process.platform === "linux")(
  "asks Linux to end the browser before the service when memory runs out",
  async () => {
    const chromium = spawnChromium({
      executable: "/bin/sleep",
      args: ["60"],
      env: {},
      limits: MESSAGE_LIMITS,
    });
    try {
      const adjustment = await readFile(`/proc/${chromium.pid}/oom_score_adj`, "utf8");
      expect(adjustment.trim()).toBe("900");
    } finally {
      chromium.kill();
      await chromium.exited;
    }
  },
);
