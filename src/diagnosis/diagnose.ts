// Diagnosis of an installation: its parts and problems. Run by the server for `quarry doctor`, or
// by the command itself.
import { availableParallelism } from "node:os";
import { explainMissingFfmpeg, findFfmpeg } from "../audio/transcoder.ts";
import { launchConfigured, explainMissingBrowser } from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import { readContainerMemoryBytes } from "../runtime/container-memory.ts";
import { createLogger } from "../logger.ts";
import { VERSION } from "../version.ts";
import { describeDisk, measureDisk, type DiskUse } from "./disk-use.ts";
import { listFindings } from "./findings.ts";
import { tryDocuments } from "./try-documents.ts";
import { tryModels } from "./try-models.ts";

export type Diagnosis = {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  /** The configuration, one short line each. */
  readonly findings: readonly string[];
  /** Disk use of the data folder by kind. */
  readonly disk: readonly DiskUse[];
  /** Checks and their results, one line each. */
  readonly tried: readonly string[];
  /** Problems; empty if all is well. */
  readonly problems: readonly string[];
};

/**
 * Starts the browser once, reads a small PDF and asks each model one question. A missing part is not
 * a problem; a failing one is.
 */
export async function diagnose(config: Config): Promise<Diagnosis> {
  const browser = await tryBrowser(config);
  const documents = await tryDocuments(config);
  const models = await tryModels(config);
  const disk = await measureDisk(config);
  return {
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpus: availableParallelism(),
    memoryMiB: Math.round(readContainerMemoryBytes() / 2 ** 20),
    findings: [
      ...listFindings(config),
      `audio     ${await describeAudio(config)}`,
      `disk      ${describeDisk(disk)}`,
    ],
    disk,
    tried: [
      `browser: ${browser.result}`,
      `documents: ${documents.result}`,
      ...models.map(({ name, result }) => `model ${name}: ${result}`),
    ],
    problems: [
      ...(browser.works ? [] : [`browser: ${browser.result}`]),
      ...(documents.works ? [] : [`documents: ${documents.result}`]),
      ...models.filter(({ works }) => !works).map(({ name, result }) => `model ${name} ${result}`),
    ],
  };
}

async function describeAudio({ ffmpeg }: Config): Promise<string> {
  const found = await findFfmpeg(ffmpeg);
  return found === undefined
    ? `MP3 only; other audio needs ffmpeg. ${explainMissingFfmpeg(ffmpeg)}.`
    : `MP3, and other audio by ${found}`;
}

async function tryBrowser(config: Config): Promise<{ works: boolean; result: string }> {
  const reason = explainMissingBrowser(config);
  if (reason !== undefined) return { works: true, result: `none to start. ${reason}` };
  const from = performance.now();
  try {
    const { browser, sandboxed } = await launchConfigured(
      config,
      "http://127.0.0.1:9",
      createLogger("warn"),
    );
    const version = browser.version();
    await browser.close();
    const started = `Chromium ${version} started in ${((performance.now() - from) / 1000).toFixed(1)} s`;
    return {
      works: true,
      result: sandboxed
        ? `${started}, in its sandbox`
        : `${started}. Warning: without its sandbox, which the system does not allow here (root, or no user namespaces)`,
    };
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { works: false, result: `does not start: ${line}` };
  }
}
