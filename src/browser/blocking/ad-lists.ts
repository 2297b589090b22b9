// Block lists that the operator fetched (quarry lists update), compiled into one file of the data folder. A server takes up a
// new file with the next page. Only rules for requests are used: what hides elements changes nothing of what is read.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FiltersEngine } from "@ghostery/adblocker";
import { z } from "zod";
import type { Logger } from "../../log.ts";

export type AdRequest = {
  readonly url: string;
  /** The DevTools protocol's word, such as "Script". */
  readonly kind: string;
  /** Of the page that asks. */
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
 * Lists in the syntax of Adblock Plus, or of a hosts file, as one compiled file. Throws RangeError for a text that is a page or
 * has no rule for requests.
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

/** "0.0.0.0 ads.example" (hosts(5)); an address of its own name is none of an advertisement. */
const HOSTS_LINE =
  /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)[ \t]+(?!localhost\b|0\.0\.0\.0)(\S+)[ \t]*(?:#.*)?$/gm;

const OPTIONS = { loadCosmeticFilters: false, loadCSPFilters: false, enableCompression: true };

async function replace(file: string, content: Uint8Array | string): Promise<void> {
  const growing = `${file}.${randomUUID()}`;
  await writeFile(growing, content, { mode: 0o600 });
  await rename(growing, file);
}

/** What was compiled last; undefined when nothing was. Throws RangeError for a file that is not ours. */
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

/** The compiled lists of a folder, read again when their file has changed. */
export class AdLists {
  readonly #file: string;
  readonly #log: Logger;
  #version = "";
  #rules: Promise<AdRules | undefined> = Promise.resolve(undefined);

  constructor(folder: string, log: Logger) {
    this.#file = path.join(folder, COMPILED);
    this.#log = log;
  }

  /** Undefined where there are none, or none that this version can read, which the log says once. */
  async current(): Promise<AdRules | undefined> {
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

/** Kinds of the DevTools protocol as lists call them. */
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
