import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AdLists, loadAdSummary, saveAdLists } from "../../src/browser/blocking/ad-lists.ts";
import { createLogger } from "../../src/logger.ts";
import { getListsFolder } from "../../src/store/database/data-folder.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

const dataDir = mkdtempSync(path.join(os.tmpdir(), "quarry-lists-"));
const folder = getListsFolder({ dataDir });
const lists = new AdLists(folder, createLogger("silent"));
let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine({ config: { dataDir }, lookup: async () => ["127.0.0.1"] });
});
afterAll(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
});
afterEach(closeAll);

const LIST = `[Adblock Plus 2.0]
! Title: A list of our own
/banners/*
/only-others/*$third-party
/pixel.gif$image
/frame.html$subdocument
@@/banners/wanted.js
##.advertisement
`;
const use = (text: string) =>
  saveAdLists(folder, [{ url: "https://lists.example/a.txt", text }], new Date(0));

/** Opens a page of tides.example with first- and third-party resources and returns the requests. */
async function openPage() {
  const seen: string[] = [];
  const site = await openSite((request, response) => {
    const host = request.headers.host?.split(":")[0];
    seen.push(`${host}${request.url}`);
    response.setHeader(
      "content-type",
      request.url?.endsWith(".js") ? "text/javascript" : "text/html",
    );
    const other = `http://others.example:${site.port}`;
    response.end(
      request.url !== "/"
        ? `<script src="/banners/inner.js"></script><script src="/inner.js"></script>`
        : `<!doctype html><title>t</title><body><p>${"The tide comes in twice a day. ".repeat(30)}</p>
<script src="/banners/a.js"></script><script src="/banners/wanted.js"></script><script src="/plain.js"></script>
<script src="/only-others/own.js"></script><script src="${other}/only-others/b.js"></script><script src="${other}/c.js"></script>
<img src="${other}/pixel.gif"><script src="${other}/pixel.gif"></script>
<iframe src="${other}/frame.html" width="100" height="100"></iframe><iframe src="${other}/inner.html" width="100" height="100"></iframe>`,
    );
  });
  return { base: `http://tides.example:${site.port}/`, seen };
}

const ALL = [
  "others.example/c.js",
  "others.example/frame.html",
  "others.example/inner.html",
  "others.example/inner.js",
  "others.example/only-others/b.js",
  "others.example/pixel.gif",
  "tides.example/",
  "tides.example/banners/a.js",
  "tides.example/banners/wanted.js",
  "tides.example/only-others/own.js",
  "tides.example/plain.js",
];

async function ask(request: {
  blockAds: boolean;
  headers?: Record<string, string>;
  wanted?: string;
}) {
  const { base, seen } = await openPage();
  const { text } = await engine.capture({ url: base, ...request });
  expect(text).toContain("The tide comes in");
  return { asked: [...new Set(seen)].toSorted((one, other) => (one < other ? -1 : 1)), seen };
}

describe("block lists", () => {
  it("applies block lists by address, type and party, and reloads them while the server runs", async () => {
    const before = (await ask({ blockAds: true })).asked;
    expect(before.filter((name) => !name.includes("banners/inner"))).toEqual(ALL);
    expect(await use(LIST)).toMatchObject({ rules: 5, madeAt: "1970-01-01T00:00:00.000Z" });
    const { asked, seen } = await ask({ blockAds: true });
    expect(asked.filter((name) => !name.includes("inner"))).toEqual([
      "others.example/c.js",
      // As a script; a rule matches the picture at the same address.
      "others.example/pixel.gif",
      "tides.example/",
      "tides.example/banners/wanted.js",
      "tides.example/only-others/own.js",
      "tides.example/plain.js",
    ]);
    expect(seen.filter((name) => name.endsWith("pixel.gif"))).toHaveLength(1);
    expect(asked).toContain("others.example/inner.js");
    expect(asked).not.toContain("others.example/banners/inner.js");
    const none = await ask({ blockAds: false });
    expect(none.asked).toEqual(expect.arrayContaining(ALL));
  });

  it("applies block lists beside the caller's headers and never blocks the requested page", async () => {
    await use("/tides$document,script\n||tides.example^\n");
    const { asked } = await ask({ blockAds: true, headers: { "x-who": "me" } });
    expect(asked).toContain("tides.example/");
    expect(asked).not.toContain("tides.example/plain.js");
    expect(asked).toContain("others.example/c.js");
  });

  it("summarizes block lists, and keeps the old ones when a text is not a list", async () => {
    await use(LIST);
    await expect(use("<html><p>Not found</p></html>")).rejects.toThrow(RangeError);
    await expect(use("! nothing but words")).rejects.toThrow(RangeError);
    const summary = await loadAdSummary(folder);
    expect(summary?.lists).toEqual([
      { url: "https://lists.example/a.txt", bytes: Buffer.byteLength(LIST), rules: 5 },
    ]);
    expect(
      (await lists.getCurrent())?.blocks({
        url: "http://a.example/banners/x",
        kind: "Image",
        pageUrl: "http://a.example/",
      }),
    ).toBe(true);
  });

  it("reads hosts files as block lists", async () => {
    await use("# hosts\n127.0.0.1 localhost\n0.0.0.0 ads.example # an advertiser\n");
    const rules = await lists.getCurrent();
    const blocks = (url: string) =>
      rules?.blocks({ url, kind: "Image", pageUrl: "http://a.example/" });
    expect([
      blocks("https://x.ads.example/b"),
      blocks("http://localhost/"),
      blocks("http://b.example/"),
    ]).toEqual([true, false, false]);
  });

  it("blocks nothing when the block lists cannot be read", async () => {
    const file = path.join(folder, "ads.bin");
    writeFileSync(file, "of another version");
    utimesSync(file, 1, 1);
    expect(await lists.getCurrent()).toBeUndefined();
    rmSync(file);
    expect(await lists.getCurrent()).toBeUndefined();
  });
});
