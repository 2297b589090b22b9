// The development pages with human truth, from the folder EVAL_DATA. bench/eval/README.md lists the
// sets and their licences.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "tldts";

/** A page for training or measuring. Exactly one of `truth` and `segments` is known. */
export type LabelledPage = {
  readonly set: "wcxb-dev" | "aeb" | "trafilatura";
  readonly id: string;
  readonly url: string;
  /** Registrable domain: pages of one domain are always in the same fold. */
  readonly domain: string;
  readonly kind: string;
  readonly html: string;
  readonly truth?: string;
  readonly segments?: { readonly wanted: readonly string[]; readonly unwanted: readonly string[] };
};

/** Decodes bytes: UTF-8 when valid, else the declared charset, else windows-1252. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const label =
      /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(bytes.subarray(0, 4096).toString("latin1"))?.[1] ??
      "windows-1252";
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      return new TextDecoder("windows-1252").decode(bytes);
    }
  }
}

function readHtml(file: string): string {
  const bytes = readFileSync(file);
  return decode(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

const readJson = (file: string): unknown =>
  JSON.parse(readFileSync(file, "utf8").replaceAll(/:\s*NaN\b/g, ": null"));
const findDomain = (url: string, id: string): string => parse(url).domain || url || id;

type WcxbPage = {
  url: string;
  _internal?: { page_type?: string | { primary?: string } };
  ground_truth: { main_content?: string };
};

function readWcxb(root: string): LabelledPage[] {
  const folder = path.join(root, "wcxb/dev");
  return readdirSync(path.join(folder, "ground-truth"))
    .sort()
    .map((file) => {
      const page = readJson(path.join(folder, "ground-truth", file)) as WcxbPage;
      const type = page._internal?.page_type;
      const kind = (typeof type === "string" ? type : type?.primary) ?? "article";
      const id = file.replace(".json", "");
      const html = readHtml(path.join(folder, "html", `${id}.html.gz`));
      return {
        set: "wcxb-dev",
        id,
        url: page.url ?? "",
        domain: findDomain(page.url ?? "", id),
        kind: kind === "category" ? "collection" : kind,
        html,
        truth: page.ground_truth.main_content ?? "",
      };
    });
}

function readAeb(root: string): LabelledPage[] {
  const truths = readJson(path.join(root, "aeb/ground-truth.json")) as Record<
    string,
    { url: string; articleBody: string }
  >;
  return Object.entries(truths).map(([id, { url, articleBody }]) => ({
    set: "aeb",
    id,
    url,
    domain: findDomain(url, id),
    kind: "aeb",
    html: readHtml(path.join(root, "aeb/html", `${id}.html.gz`)),
    truth: articleBody,
  }));
}

function readTrafilatura(root: string): LabelledPage[] {
  const folder = path.join(root, "trafilatura/tests");
  const truths = readJson(path.join(folder, "evaldata.json")) as Record<
    string,
    { file: string; with?: string[]; without?: string[] }
  >;
  return Object.entries(truths).flatMap(
    ([url, { file, with: wanted, without: unwanted }]): LabelledPage[] => {
      const found = ["cache", "eval"]
        .map((name) => path.join(folder, name, file))
        .find((candidate) => existsSync(candidate));
      if (found === undefined) return [];
      return [
        {
          set: "trafilatura",
          id: file,
          url,
          domain: findDomain(url, file),
          kind: "trafilatura",
          html: readHtml(found),
          segments: { wanted: wanted ?? [], unwanted: unwanted ?? [] },
        },
      ];
    },
  );
}

/** All development pages in a fixed order. */
export function readPages(root: string): LabelledPage[] {
  return [...readWcxb(root), ...readAeb(root), ...readTrafilatura(root)];
}

/** FNV-1a of the domain: the same fold on every run and machine. */
export function chooseFold(domain: string, folds: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < domain.length; index++)
    hash = Math.imul(hash ^ domain.charCodeAt(index), 0x01000193);
  return (hash >>> 8) % folds;
}

/** One domain in this many is held out: no choice is made on its pages. */
const HELD_OUT_SHARE = 5;

export const isHeldOut = (domain: string): boolean =>
  (createHash("sha1").update(domain).digest()[0] ?? 0) % HELD_OUT_SHARE === 0;
