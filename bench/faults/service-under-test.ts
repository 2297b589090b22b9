// Runs the service like an operator: one process over the embedded database, or an API process and
// workers over PostgreSQL. Crawls of a generated site run on it while a scenario injects faults.
import { setTimeout as sleep } from "node:timers/promises";
import { readOutcome, type Outcome } from "../crawl-outcome.ts";
import { generatePage } from "../generated-site.ts";
import {
  BENCH_KEY,
  getOnce,
  servePages,
  startService,
  createTemporaryFolder,
  waitUntilReady,
  type RunningService,
} from "../service.ts";
import { startReceiver, type ReceivedCall } from "./receiver.ts";

const headers = { authorization: `Bearer ${BENCH_KEY}` };
/**
 * A crawl without progress for this long after the last fault counts as stuck. Leases expire well
 * before.
 */
const STUCK_MS = 180_000;
const EVENT_TIMEOUT_MS = 60_000;

export type Status = { status: string; completed: number; warning?: string };

const SECRET = "faults-0123456789abcdef0123456789abcdef";

export type CaseJudgment = Outcome & { readonly lost: number; readonly unevented: number };

export type ServiceOptions = {
  readonly port: number;
  /** Pages of the generated site. */
  readonly pages: number;
  readonly paragraphs?: number;
  /** Worker processes beside an API process; 0 means a single process. */
  readonly workers?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the first process; a temporary one by default. */
  readonly folder?: string;
};

export type ServiceUnderTest = {
  readonly parts: RunningService[];
  readonly site: string;
  readonly base: string;
  startCrawl(): Promise<string>;
  /** Undefined while no process answers. */
  status(id: string): Promise<Status | undefined>;
  /** Status and body of readiness; 0 while no process answers. */
  readiness(): Promise<{ status: number; text: string }>;
  /** Waits for the end; throws when the crawl makes no progress. */
  end(id: string): Promise<Status>;
  judge(id: string): Promise<CaseJudgment>;
  post(path: string, body: unknown): Promise<{ status: number; text: string; ms: number }>;
  /** Kills one process and starts it again. */
  kill(index: number): Promise<void>;
  close(): Promise<void>;
};

export async function openService(options: ServiceOptions): Promise<ServiceUnderTest> {
  const { port, pages, paragraphs, workers = 0, settings = {} } = options;
  const receiver = await startReceiver();
  const site = await servePages((target) => generatePage(target, pages, paragraphs));
  const temporary = createTemporaryFolder();
  const base = `http://127.0.0.1:${port}`;
  const parts: RunningService[] = [];

  async function start(index: number): Promise<RunningService> {
    const role: Record<string, string> =
      workers === 0 ? {} : { QUARRY_ROLE: index === 0 ? "api" : "worker" };
    const folder =
      index === 0 && options.folder !== undefined ? options.folder : `${temporary.folder}/${index}`;
    const running = await startService(port + index, folder, {
      // All processes on one database need the same secret: it encrypts the secrets that sign
      // webhooks.
      QUARRY_SECRET: SECRET,
      ...settings,
      ...role,
    });
    await waitUntilReady(running);
    return running;
  }

  async function get(path: string): Promise<{ status: number; text: string }> {
    return await getOnce(`${base}${path}`, headers).catch(() => ({ status: 0, text: "" }));
  }

  async function post(
    path: string,
    body: unknown,
  ): Promise<{ status: number; text: string; ms: number }> {
    const from = performance.now();
    const response = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text(), ms: performance.now() - from };
  }

  async function status(id: string): Promise<Status | undefined> {
    const answer = await get(`/v2/crawl/${id}?limit=1`);
    return answer.status === 200 ? (JSON.parse(answer.text) as Status) : undefined;
  }

  const close = async (): Promise<void> => {
    await Promise.all(parts.map((running) => running.stop()));
    temporary.remove();
    site.close();
    receiver.close();
  };

  try {
    for (let index = 0; index <= workers; index++) parts.push(await start(index));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    parts,
    site: site.url,
    base,
    status,
    post,
    close,
    readiness: () => get("/v0/health/readiness"),
    async startCrawl() {
      const { status: code, text } = await post("/v2/crawl", {
        url: `${site.url}/page/0`,
        limit: 100_000,
        crawlEntireDomain: true,
        sitemap: "skip",
        scrapeOptions: { formats: ["markdown"], maxAge: 0 },
        webhook: { url: receiver.url },
      });
      const { id } = JSON.parse(text) as { id?: string };
      if (id === undefined) throw new Error(`the crawl was not accepted (${code}): ${text}`);
      return id;
    },
    async end(id) {
      let last: Status | undefined;
      let movedAt = performance.now();
      for (;;) {
        const now = await status(id);
        const ended = parts.findIndex(({ child }) => child.exitCode !== null);
        if (ended !== -1) throw new Error(`process ${ended} of the service ended by itself`);
        if (now !== undefined && now.status !== "scraping") return now;
        if (now !== undefined && now.completed !== last?.completed) {
          last = now;
          movedAt = performance.now();
        }
        if (performance.now() - movedAt > STUCK_MS)
          throw new Error(`crawl ${id} stands still at ${last?.completed ?? 0} pages`);
        await sleep(200);
      }
    },
    async judge(id) {
      const outcome = await readOutcome(base, id, headers);
      const job: ReceivedCall = receiver.of(id);
      const until = performance.now() + EVENT_TIMEOUT_MS;
      while (!job.completed && performance.now() < until) await sleep(200);
      return {
        ...outcome,
        lost: pages - (outcome.ok - outcome.doubled),
        unevented: pages - job.urls.size,
      };
    },
    async kill(index) {
      const running = parts[index];
      if (running === undefined) throw new Error(`there is no process ${index}`);
      const ended = new Promise((resolve) => running.child.once("close", resolve));
      running.child.kill("SIGKILL");
      await ended;
      parts[index] = await start(index);
    },
  };
}
