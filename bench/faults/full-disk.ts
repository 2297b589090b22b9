// Writes fail: the disk is full (a small file system in memory, which only root can mount), or a
// file replaces the blob folder. Readiness must report it, the job must warn, and the crawl must
// continue once writing is possible.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { readCount, type Row, type Scenario } from "./scenario.ts";
import { openService, type ServiceUnderTest } from "./service-under-test.ts";

const DISK_MIB = 200;
/** Pages of about 16 kB as Markdown: their bodies go to the blob store. */
const PARAGRAPHS_PER_PAGE = 60;
const DOWN_MS = 20_000;

type Fault = { readonly cause: () => void; readonly mend: () => void };

/** Injects the fault in the middle of a crawl, removes it after DOWN_MS, and judges the crawl. */
async function injectFault(
  service: ServiceUnderTest,
  name: string,
  pages: number,
  { cause, mend }: Fault,
): Promise<Row> {
  const id = await service.startCrawl();
  while (((await service.status(id))?.completed ?? 0) < pages / 8) await sleep(100);
  cause();
  const until = performance.now() + DOWN_MS;
  let warned = false;
  let reported = false;
  let alive = true;
  while (performance.now() < until) {
    await sleep(500);
    warned ||= ((await service.status(id))?.warning ?? "") !== "";
    const { status, text } = await service.readiness();
    reported ||= status === 503 && /store|blob|disk|space|write|database/i.test(text);
    alive &&= service.parts.every(({ child }) => child.exitCode === null);
  }
  mend();
  const { status } = await service.end(id);
  const judged = await service.judge(id);
  return {
    fault: name,
    times: 1,
    expected: pages,
    lost: judged.lost,
    twice: judged.doubled,
    checks: {
      completed: status === "completed",
      "no process ended": alive,
      "the job warned": warned,
      "readiness 503 with the reason": reported,
      "ready again": (await service.readiness()).status === 200,
      "ledger adds up": judged.ledgerAddsUp,
    },
  };
}

async function runFullDisk(): Promise<Row> {
  const pages = readCount("generated-disk", 600);
  const disk = mkdtempSync(path.join(os.tmpdir(), "quarry-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", disk]);
  const filler = path.join(disk, "filler");
  try {
    const service = await openService({
      port: readCount("port", 3906),
      pages,
      paragraphs: PARAGRAPHS_PER_PAGE,
      folder: path.join(disk, "data"),
    });
    try {
      return await injectFault(service, "disk full for 20 s, PGlite", pages, {
        cause() {
          const { bavail, bsize } = statfsSync(disk);
          try {
            writeFileSync(filler, Buffer.alloc(bavail * bsize));
          } catch {
            // The service has used some of the space: the disk counts as full anyway.
          }
        },
        mend: () => rmSync(filler, { force: true }),
      });
    } finally {
      await service.close();
    }
  } finally {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

async function runBlobsReplaced(): Promise<Row> {
  const pages = readCount("generated-disk", 600);
  const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-blobs-"));
  const blobs = path.join(folder, "blobs");
  mkdirSync(blobs);
  const service = await openService({
    port: readCount("port", 3906),
    pages,
    paragraphs: PARAGRAPHS_PER_PAGE,
    settings: { QUARRY_BLOBS: `file:${blobs}` },
  });
  try {
    return await injectFault(service, "a file in place of the blob folder for 20 s", pages, {
      cause() {
        renameSync(blobs, `${blobs}-away`);
        writeFileSync(blobs, "");
      },
      mend() {
        rmSync(blobs);
        renameSync(`${blobs}-away`, blobs);
      },
    });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const fullDisk: Scenario = {
  name: "full-disk",
  whyNot: () =>
    process.getuid?.() === 0 && process.platform === "linux"
      ? undefined
      : "mounting a small file system takes root on Linux",
  run: runFullDisk,
};

export const blobsReplaced: Scenario = { name: "blob-folder", run: runBlobsReplaced };
