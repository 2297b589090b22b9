// Block lists that the operator downloaded (quarry lists update), compiled into one file in the
// data folder. A server loads a new file with the next page. Only request rules are used, because
// element hiding does not change the extracted content.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FiltersEngine } from "@ghostery/adblocker";
import { z } from "zod";
import type { Logger } from "../../logger.ts";

export type AdRequest = {
  readonly url: string;
  /** Resource type of the DevTools protocol, such as "Script". */
  readonly kind: string;
  /** URL of the requesting page. */
  readonly pageUrl: string;
};

export type AdRules = { blocks(request: AdRequest): boolean };

const summarySchema = z.object({
  madeAt: z.string(),
  rules: z.number(),
  lists: z.array(z.object({ url: z.string(), bytes: z.number(), rules: z.number() })),
});

export type AdSummary = z.output<typeof summarySchema>;

const COMPILED = "ads.bin";
const SUMMARY = "ads.json";

/**
 * Compiles lists in Adblock Plus or hosts-file syntax into one file. Throws RangeError for a text
 * that is a web page or has no request rule.
 */
export async function saveAdLists(
  folder: string,
  sources: readonly { readonly url: string; readonly text: string }[],
  now: Date,
): Promise<AdSummary> {
  const { FiltersEngine, parseFilters } = await import("@ghostery/adblocker");
  const texts = sources.map(({ text }) => text.replaceAll(HOSTS_LINE, "||$1^"));
  const lists = sources.map(({ url, text }, index) => {
    if (text.trimStart().startsWith("<")) throw new RangeError(`${url} is a page, not a list.`);
    const { networkFilters } = parseFilters(texts[index] ?? "", OPTIONS);
    if (networkFilters.length === 0) throw new RangeError(`${url} has no rules for requests.`);
    return { url, bytes: Buffer.byteLength(text), rules: networkFilters.length };
  });
  const engine = FiltersEngine.parse(texts.join("\n"), OPTIONS);
  const rules = lists.reduce((sum, list) => sum + list.rules, 0);
  const summary = { madeAt: now.toISOString(), rules, lists };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replace(path.join(folder, COMPILED), engine.serialize());
  await replace(path.join(folder, SUMMARY), `${JSON.stringify(summary, null, 2)}\n`);
  return summary;
}

/** "0.0.0.0 ads.example" (hosts(5)). An entry for the machine itself is not an ad host. */
const HOSTS_LINE =
  /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)[ \t]+(?!localhost\b|0\.0\.0\.0)(\S+)[ \t]*(?:#.*)?$/gm;

const OPTIONS = { loadCosmeticFilters: false, loadCSPFilters: false, enableCompression: true };

async function replace(file: string, content: Uint8Array | string): Promise<void> {
  const growing = `${file}.${randomUUID()}`;
  await writeFile(growing, content, { mode: 0o600 });
  await rename(growing, file);
}

/**
 * Returns the summary of the last compilation, or undefined if there is none. Throws RangeError for
 * a foreign file.
 */
export async function loadAdSummary(folder: string): Promise<AdSummary | undefined> {
  const file = path.join(folder, SUMMARY);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return summarySchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new RangeError(`${file} cannot be read; run quarry lists update.`, { cause });
  }
}

/** The compiled lists of a folder, reloaded when their file changes. */
export class AdLists {
  readonly #file: string;
  readonly #log: Logger;
  #version = "";
  #rules: Promise<AdRules | undefined> = Promise.resolve(undefined);

  constructor(folder: string, log: Logger) {
    this.#file = path.join(folder, COMPILED);
    this.#log = log;
  }

  /** Returns undefined if there are none or this version cannot read them, which is logged once. */
  async getCurrent(): Promise<AdRules | undefined> {
    const found = await stat(this.#file).catch(() => undefined);
    const version = found === undefined ? "" : `${found.mtimeMs} ${found.ino} ${found.size}`;
    if (version !== this.#version) {
      this.#version = version;
      this.#rules = version === "" ? Promise.resolve(undefined) : this.#load();
    }
    return await this.#rules;
  }

  async #load(): Promise<AdRules | undefined> {
    try {
      const { FiltersEngine, Request } = await import("@ghostery/adblocker");
      const engine: FiltersEngine = FiltersEngine.deserialize(await readFile(this.#file));
      this.#log.info("block lists were loaded");
      return {
        blocks: ({ url, kind, pageUrl }) => {
          const type = TYPES[kind] ?? "other";
          return engine.match(Request.fromRawDetails({ url, type, sourceUrl: pageUrl })).match;
        },
      };
    } catch (error) {
      this.#log.warn({ err: error }, "the block lists cannot be read; run quarry lists update");
      return undefined;
    }
  }
}

/** Maps DevTools resource types to the lists' names. */
const TYPES: Readonly<
  Record<
    string,
    "sub_frame" | "stylesheet" | "image" | "media" | "font" | "script" | "xmlhttprequest" | "ping"
  >
> = {
  Document: "sub_frame",
  Stylesheet: "stylesheet",
  Image: "image",
  Media: "media",
  Font: "font",
  Script: "script",
  XHR: "xmlhttprequest",
  Fetch: "xmlhttprequest",
  EventSource: "xmlhttprequest",
  Ping: "ping",
};
