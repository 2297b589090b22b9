// Relative links of all Markdown pages: the file and the linked heading must exist.
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Folders whose Markdown is test data or not ours. */
const SKIPPED = /^(?:node_modules|\.git|\.eval|test)(?:\/|$)|\/node_modules\//u;
const FENCE = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?^ {0,3}\1[^\n]*$/gmu;
const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/gu;

/** Paths of all Markdown pages of the project. */
async function findPages(): Promise<string[]> {
  const pages: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (SKIPPED.test(name)) continue;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.name.endsWith(".md")) pages.push(name);
    }
  return pages;
}

const withoutCode = (text: string): string => text.replaceAll(FENCE, "");

/** Anchors like GitHub's: lower case, no punctuation, hyphens for spaces, repeats numbered. */
function findAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gmu)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1").toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/gu, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function findBrokenLinks(page: string, text: string): string[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/gu, "");
  return [...prose.matchAll(LINK)]
    .map(([, target = ""]) => target)
    .filter((target) => {
      if (/^[a-z][a-z+.-]*:/iu.test(target)) return false;
      const [name = "", anchor] = decodeURIComponent(target).split("#");
      const file = name === "" ? page : path.posix.join(path.posix.dirname(page), name);
      if (!existsSync(path.join(root, file))) return true;
      if (anchor === undefined || !file.endsWith(".md")) return false;
      const linked = file === page ? text : readFileSync(path.join(root, file), "utf8");
      return !findAnchors(linked).has(anchor);
    })
    .map((target) => `${page}: ${target}`);
}

it("the link check finds missing files and anchors but ignores code", () => {
  const text =
    "# A `b`, c\n\n[a](#a-b-c) [b](#nothing) [c](nothing.md) `[d](e.md)`\n\n```\n[f](g.md)\n```\n";
  expect(findBrokenLinks("README.md", text)).toEqual([
    "README.md: #nothing",
    "README.md: nothing.md",
  ]);
});

it("every relative link and anchor of the Markdown pages resolves", async () => {
  const pages = await findPages();
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/crawling.md"]));
  const broken = pages.flatMap((page) =>
    findBrokenLinks(page, readFileSync(path.join(root, page), "utf8")),
  );
  expect(broken).toEqual([]);
});
