// How long the server keeps others waiting while it has much to do: batches of 100,000 URLs, their cancellation, and 200 scrapes
// on connections of their own. Prints JSON lines.  node bench/stalls.ts [--port=8095] [--urls=100000] [--batches=3]
import { setTimeout as sleep } from "node:timers/promises";
import { generatePage } from "./generated-site.ts";
import { readArgument } from "./pages.ts";
import {
  BENCH_KEY,
  getOnce,
  servePages,
  startService,
  createTemporaryFolder,
  waitUntilReady,
} from "./service.ts";
import { Agent, request } from "node:http";

const port = Number(readArgument("port", "8095"));
const URLS = Number(readArgument("urls", "100000"));
const BATCHES = Number(readArgument("batches", "3"));
const CONCURRENT_CALLERS = 200;
const headers = { authorization: `Bearer ${BENCH_KEY}`, "content-type": "application/json" };

const site = await servePages((target) => generatePage(target, 1_000));
const temporary = createTemporaryFolder();
const service = await startService(port, temporary.folder, {
  QUARRY_RATE_LIMIT: "0",
  ...Object.fromEntries(
    readArgument("settings", "")
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => pair.split("=") as [string, string]),
  ),
});

/** Asks whether the process lives while `work` runs, on a new connection each time; the waits in milliseconds. */
async function probe<Result>(work: () => Promise<Result>): Promise<[Result, number[]]> {
  const waits: number[] = [];
  let isRunning = true;
  const probing = (async () => {
    while (isRunning) {
      const from = performance.now();
      await getOnce(`${service.base}/v0/health/liveness`).catch(() => undefined);
      waits.push(performance.now() - from);
      await sleep(10);
    }
  })();
  const result = await work();
  isRunning = false;
  await probing;
  return [result, waits];
}

function post(
  path: string,
  body: string,
  agent: Agent | false,
): Promise<{ status: number; text: string; ms: number }> {
  const from = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    text: string;
    ms: number;
  }>();
  const asked = request(
    `${service.base}${path}`,
    { method: "POST", headers, agent },
    (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - from }),
      );
    },
  );
  asked.on("error", reject).end(body);
  return promise;
}

function report(what: string, ms: readonly number[], more: object = {}): void {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  process.stdout.write(
    `${JSON.stringify({ what, count: ms.length, p50: at(0.5), p95: at(0.95), max: at(1), ...more })}\n`,
  );
}

try {
  await waitUntilReady(service);
  const scrape = (index: number): string =>
    JSON.stringify({ url: `${site.url}/page/${index}`, formats: ["markdown"], maxAge: 0 });
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => post("/v2/scrape", scrape(index), false)),
  );

  for (const kind of ["fresh", "kept alive"] as const) {
    const agent =
      kind === "fresh" ? false : new Agent({ keepAlive: true, maxSockets: CONCURRENT_CALLERS });
    for (let round = 0; round < 2; round += 1) {
      const [answers, waits] = await probe(() =>
        Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, (_, index) =>
            (async () => {
              const own: number[] = [];
              for (let turn = 0; turn < 5; turn += 1)
                own.push((await post("/v2/scrape", scrape((index * 5 + turn) % 1_000), agent)).ms);
              return own;
            })(),
          ),
        ),
      );
      report(
        `scrapes on ${kind} connections, first of each`,
        answers.map(([first = 0]) => first),
      );
      report(
        `scrapes on ${kind} connections, others`,
        answers.flatMap((own) => own.slice(1)),
      );
      report("liveness meanwhile", waits);
    }
    if (agent !== false) agent.destroy();
  }

  const urls = (prefix: string): string[] =>
    Array.from({ length: URLS }, (_, index) => `${prefix}${index}`);
  let id: string | undefined;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const body = JSON.stringify({
      urls: urls("http://192.0.2.1/page/"),
      ...(id && { appendToId: id }),
    });
    const [answer, waits] = await probe(() => post("/v2/batch/scrape", body, false));
    id ??= (JSON.parse(answer.text) as { id?: string }).id;
    report(`liveness during batch ${batch + 1}`, waits, {
      status: answer.status,
      ms: Math.round(answer.ms),
    });
  }
  for (const ignoreInvalidURLs of [true, false]) {
    const body = JSON.stringify({ urls: urls("ftp://a.example/"), ignoreInvalidURLs });
    const [answer, waits] = await probe(() => post("/v2/batch/scrape", body, false));
    report("liveness during a batch of invalid URLs", waits, {
      ignoreInvalidURLs,
      status: answer.status,
    });
  }
  const [, waits] = await probe(() =>
    fetch(`${service.base}/v2/batch/scrape/${id ?? ""}`, { method: "DELETE", headers }),
  );
  report("liveness during the cancellation", waits);
} finally {
  await service.stop();
  temporary.remove();
  site.close();
}
