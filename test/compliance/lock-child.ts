// A child process for database.test.ts. `lock FOLDER` holds the lock until it is killed; `write
// FOLDER` commits rows forever.
import { setTimeout as delay } from "node:timers/promises";
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { lockFolder } from "../../src/store/database/lock-file.ts";
import { openStore } from "../../src/store/store.ts";

const [, , command, folder = ""] = process.argv;

if (command === "lock") {
  try {
    await lockFolder(folder, 0);
    process.stdout.write("held\n");
    await delay(60_000);
  } catch (error) {
    process.stdout.write(`refused ${String(error)}\n`);
  }
} else {
  const store = await openStore(createTestConfig({ dataDir: folder }), createLogger("silent"));
  for (let index = 0; ; index += 1) {
    await store.settings.save(`row-${index}`, "x".repeat(500));
    process.stdout.write(`${index}\n`);
  }
}
