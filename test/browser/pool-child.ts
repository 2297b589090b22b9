// Opens a page in a browser, prints the browser's process id, and waits to be killed.
import { buildBrowserEngine } from "./engine.ts";
import { Deadline } from "../../src/deadline.ts";

const { pool } = buildBrowserEngine();
const deadline = Deadline.start(60_000);
await pool.open(
  {
    mobile: false,
    country: undefined,
    languages: [],
    skipTlsVerification: true,
    userAgent: undefined,
    agent: undefined,
    maxBytes: 1_000_000,
  },
  deadline,
);
process.stdout.write(`${pool.state().pids[0] ?? 0}`);
