// The worker loop over an in-memory frontier: delays of pages, and their eventual completion.
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import {
  buildCrawlWork,
  buildFrontier,
  buildLeased,
  buildPageParts,
  buildPoliteness,
  buildReport,
  buildScraped,
} from "../../../test/crawl-work.ts";
import { LimitError, StorageError } from "../../errors.ts";
import { createWakeUps, WORK } from "../../jobs/wake-up.ts";
import { createLogger } from "../../logger.ts";
import type { PageRequest, ScrapedPage } from "../../scrape/page.ts";
import type { FinishedPage } from "../../store/jobs/finish.ts";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import { StorageGate } from "./storage-gate.ts";
import { createWorker, type Worker } from "./worker.ts";

const HOST = "site.example";
const UNLIMITED = buildPoliteness();

/** Result of a page: its text and its number of links. */
type Brought = { readonly text: string; readonly links: number };

function toScraped({ url }: Pick<PageRequest, "url">, { text, links }: Brought): ScrapedPage {
  const urls = Array.from({ length: links }, (_, index) => `${url.href}/link-${index}`);
  return buildScraped(url.href, { text, links: urls });
}

let worker: Worker | undefined;
afterEach(() => worker?.close());

/**
 * Starts a worker on pages of one crawl; `writes` settles when the database has written. With
 * `suspects` it has capacity for two pages, which only the suspect lookup returns.
 */
function start(
  paths: readonly LeasedPage[],
  bring: (url: URL) => Brought | Promise<Brought>,
  writes: Promise<void>,
  suspects?: readonly LeasedPage[],
  checkStorage = async () => undefined,
) {
  const waiting = [...paths];
  const suspected = [...(suspects ?? [])];
  const room = suspects === undefined ? 1 : 2;
  const fetched: string[] = [];
  const released: string[] = [];
  const finished: FinishedPage[] = [];
  const warnings: string[] = [];
  const wakeUps = createWakeUps();
  const job = buildCrawlWork(`http://${HOST}/`);
  const pageParts = buildPageParts(
    async (request) => {
      fetched.push(request.url.pathname);
      return toScraped(request, await bring(request.url));
    },
    { warn: async (_jobId, warning) => void warnings.push(warning) },
  );
  worker = createWorker({
    name: "w",
    frontier: buildFrontier({
      claim: async (claim) =>
        (claim.suspects === "only" ? suspected : waiting).splice(0, claim.max),
      release: async (_worker, pages) => {
        released.push(...pages.map(({ url }) => new URL(url).pathname));
      },
      renew: async () => 0,
    }),
    finish: async (_jobId, _worker, pages) => {
      await writes;
      finished.push(...pages);
      return buildReport();
    },
    jobs: {
      find: async () => job,
      end: () => undefined,
      forget: () => undefined,
      learn: () => undefined,
    },
    page: pageParts,
    storage: new StorageGate({
      check: checkStorage,
      warn: async (_jobId, warning) => void warnings.push(warning),
      log: createLogger("silent"),
      now: Date.now,
      minRetryMs: 1,
    }),
    politeness: UNLIMITED,
    wakeUps,
    room,
    claimSize: room,
    idleMs: 20,
    settleMs: suspects === undefined ? Infinity : 0,
    log: createLogger("silent"),
    onEnded: () => undefined,
    onEvent: () => undefined,
  });
  worker.start();
  wakeUps.wake(WORK);
  return { fetched, released, finished, warnings, waiting, ring: () => wakeUps.wake(WORK) };
}

const leased = (path: string, sequence: number, marks: LeasedPage["marks"] = {}): LeasedPage =>
  buildLeased(`http://${HOST}${path}`, { identity: BigInt(sequence), marks, sequence });

describe("crawl worker", () => {
  it.each([
    [30_000, 2],
    [60_000, 1],
  ])("with %i unwritten links per page starts %i pages", async (links, begun) => {
    const writing = Promise.withResolvers<void>();
    const pages = [1, 2, 3, 4].map((number) => leased(`/${number}`, number));
    const { fetched, finished, ring } = start(pages, () => ({ text: "a", links }), writing.promise);
    await expect.poll(() => fetched.length).toBe(begun);
    // However often it polls, it starts no further page.
    for (let look = 0; look < 20; look++) {
      ring();
      await nextTick();
    }
    expect(fetched).toHaveLength(begun);
    writing.resolve();
    await expect.poll(() => finished.length).toBe(pages.length);
    expect(finished.every((page) => page.links.length === links)).toBe(true);
  });

  it("releases a page while the storage fails and claims none until it works", async () => {
    let works = true;
    let checks = 0;
    const { fetched, released, finished, warnings } = start(
      [leased("/1", 1), leased("/2", 2)],
      ({ pathname }) => {
        if (pathname === "/2") return { text: "a", links: 0 };
        works = false;
        throw new StorageError("blob store", "down");
      },
      Promise.resolve(),
      undefined,
      async () => {
        checks += 1;
        if (!works) throw new StorageError("blob store", "down");
      },
    );
    await expect.poll(() => checks).toBeGreaterThan(2);
    expect([fetched, released, finished]).toEqual([["/1"], ["/1"], []]);
    expect(warnings).toEqual([expect.stringContaining("because the blob store has failed since")]);
    works = true;
    await expect.poll(() => finished.map(({ page }) => page.url)).toEqual([`http://${HOST}/2`]);
  });

  it("retries a page whose browser was killed from outside", async () => {
    let tries = 0;
    const { finished } = start(
      [leased("/1", 1)],
      () => {
        tries += 1;
        if (tries === 1) throw new LimitError("UNAVAILABLE", "The browser ended.");
        return { text: "a", links: 0 };
      },
      Promise.resolve(),
    );
    await expect.poll(() => finished.length).toBe(1);
    expect([tries, finished[0]?.outcome.type]).toEqual([2, "document"]);
  });

  it("tries a suspect page alone, after all other pages have ended", async () => {
    const gates = new Map(
      ["/a", "/b", "/s", "/t"].map((path) => [path, Promise.withResolvers<void>()]),
    );
    const open = (path: string): void => gates.get(path)?.resolve();
    const { fetched, finished, waiting, ring } = start(
      [leased("/a", 1)],
      async ({ pathname }) => {
        await gates.get(pathname)?.promise;
        return { text: pathname, links: 0 };
      },
      Promise.resolve(),
      [leased("/s", 2), leased("/t", 3)],
    );
    const lookAround = async (): Promise<void> => {
      for (let look = 0; look < 20; look++) {
        ring();
        await nextTick();
      }
    };
    // No process was working yet, so it comes first.
    await expect.poll(() => fetched).toEqual(["/s"]);
    await lookAround();
    expect(fetched).toEqual(["/s"]);
    expect(waiting).toHaveLength(1);
    open("/s");
    await expect.poll(() => fetched).toEqual(["/s", "/t"]);
    waiting.push(leased("/b", 4));
    await lookAround();
    expect(fetched).toEqual(["/s", "/t"]);
    open("/t");
    await expect.poll(() => fetched).toEqual(["/s", "/t", "/a", "/b"]);
    open("/a");
    open("/b");
    await expect.poll(() => finished.length).toBe(4);
  });

  it("skips waiting pages whose group turned out to be endless", async () => {
    const days = Array.from({ length: 60 }, (_, day) =>
      leased(`/calendar/2031-01/${day + 1}`, day + 1, { chain: day + 1 }),
    );
    const other = leased("/about", 61);
    const { fetched, finished, warnings } = start(
      [...days, other],
      ({ pathname }) => ({ text: pathname === "/about" ? "about us" : "no events", links: 0 }),
      Promise.resolve(),
    );
    await expect.poll(() => finished.length).toBe(61);
    expect(fetched).toHaveLength(41);
    expect(fetched).toContain("/about");
    const held = finished.filter(({ outcome }) => outcome.type === "refused");
    expect(held).toHaveLength(20);
    expect(warnings).toEqual([
      expect.stringContaining("/calendar/#-#/# were skipped as a spider trap"),
    ]);
    expect(held[0]?.outcome).toMatchObject({
      refusal: {
        fate: "trap",
        reason: expect.stringMatching(/of the last 40 pages .* brought nothing new/),
      },
    });
  });
});

it("yields to the event loop between pages even when every page is cached", async () => {
  const pages = Array.from({ length: 40 }, (_, at) => leased(`/p${at}`, at));
  const { fetched } = start(pages, () => ({ text: "kept", links: 0 }), Promise.resolve());
  let turns = 0;
  while (fetched.length < pages.length) {
    await nextTick();
    turns++;
  }
  expect(turns).toBeGreaterThanOrEqual(pages.length);
});
