import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BlockedKind } from "../../src/capture.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine();
});
afterAll(async () => {
  await engine.close();
});
afterEach(closeAll);

const PAGE = `<!doctype html><title>t</title><link rel="stylesheet" href="/site.css">
<style>@font-face { font-family: Site; src: url(/site.woff2) } h1 { font-family: Site, serif } p { background: url(/back.png) }</style>
<h1>Heading of the page</h1><p>Its text.</p><ul id="log"></ul>
<script>
const note = (text) => document.getElementById("log").insertAdjacentHTML("beforeend", "<li>" + text + "</li>");
const picture = new Image();
picture.onload = () => note("picture of " + picture.naturalWidth);
picture.onerror = () => note("broken picture");
picture.src = "/one.png";
const shared = new Image();
shared.crossOrigin = "use-credentials";
shared.onload = () => note("shared picture");
shared.onerror = () => note("broken shared picture");
shared.src = "/two.png";
document.fonts.load("12px Site").then((fonts) => note("fonts " + fonts.length), () => note("broken font"));
const video = document.createElement("video");
video.preload = "auto";
video.onerror = () => note("broken video");
video.src = "/film.webm";
document.body.append(video);
navigator.sendBeacon("/beacon", "seen");
</script>`;

/** Writes what its scripts see of the window, and the entries that an observer saw. */
const WINDOW_PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title>
<style>li { height: 250px } .wide { display: none } @media (min-width: 1000px) { .wide { display: block } }</style>
<p id="log"></p><p class="wide">Wide window.</p>
<ul>${Array.from({ length: 30 }, (_, at) => `<li>Entry ${at}</li>`).join("")}</ul>
<script>
const seen = new Set();
let resizes = 0;
addEventListener("resize", () => { resizes += 1 });
const observer = new IntersectionObserver((changes) => {
  for (const { isIntersecting, target } of changes) if (isIntersecting) seen.add(target.textContent);
});
document.querySelectorAll("li").forEach((entry) => observer.observe(entry));
setTimeout(() => requestAnimationFrame(() => {
  const { width, height, scale } = visualViewport;
  const corner = document.elementFromPoint(20, innerHeight - 1);
  document.getElementById("log").textContent = JSON.stringify({
    window: [innerWidth, innerHeight, outerWidth, outerHeight, screenX, screenY, devicePixelRatio],
    screen: [screen.width, screen.height, screen.availWidth, screen.availHeight],
    viewport: [width, height, scale],
    media: [matchMedia("(min-width: 1280px)").matches, matchMedia("(max-width: 1280px)").matches],
    wide: document.querySelector(".wide").getBoundingClientRect().height > 0,
    corner: corner?.localName, visibility: document.visibilityState, resizes, seen: [...seen],
  });
}), 100);
</script>`;

async function openPage() {
  const requests: string[] = [];
  const { base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else if (path === "/site.css") response.writeHead(200, { "content-type": "text/css" }).end("");
    else response.writeHead(404).end();
  });
  return { base, requests };
}

describe("pages that are only read", () => {
  it("fetches no pictures, media, fonts and beacons, and lists them", async () => {
    const { base, requests } = await openPage();
    const { rendering } = await engine.capture({ url: `${base}/` });
    expect(requests.filter((path) => path !== "/favicon.ico")).toEqual(["/", "/site.css"]);
    const blocked = Object.fromEntries(
      rendering?.blocked.map(({ kind, count }) => [kind, count]) ?? [],
    ) as Partial<Record<BlockedKind, number>>;
    expect(blocked).toEqual({ image: 3, font: 1, media: 1, beacon: 1 });
    const images = rendering?.blocked.find(({ kind }) => kind === "image");
    expect(images?.addresses.toSorted()).toEqual([
      `${base}/back.png`,
      `${base}/one.png`,
      `${base}/two.png`,
    ]);
  });

  it("lets scripts see pictures and fonts as loaded", async () => {
    const { base } = await openPage();
    const { text: html } = await engine.capture({ url: `${base}/`, waitForMs: 300 });
    const text = html.replaceAll(/<script>[^]*?<\/script>/g, "");
    expect(text).toContain("<li>picture of 320</li>");
    expect(text).toContain("<li>shared picture</li>");
    expect(text).toContain("<li>fonts 1</li>");
    expect(text).not.toContain("broken");
  });

  it.each([
    ["a desktop", { mobile: false }, "Entry 2"],
    ["a phone", { mobile: true }, "Entry 3"],
  ])("shows scripts the window of a page that is drawn: %s", async (_name, device, last) => {
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(WINDOW_PAGE);
    });
    const readLog = async (options: object): Promise<string> => {
      const { text } = await engine.capture({
        url: `${base}/`,
        waitForMs: 500,
        ...device,
        ...options,
      });
      return /<p id="log">(.*?)<\/p>/.exec(text)?.[1] ?? "";
    };
    const drawn = await readLog({ actions: [{ type: "wait", milliseconds: 1 }] });
    expect(drawn).toContain(`"${last}"]`);
    expect(await readLog({})).toBe(drawn);
  });

  it("loads everything for a screenshot, for actions and on enhanced pages", async () => {
    for (const options of [
      { screenshot: { fullPage: false, quality: undefined, viewport: undefined } as never },
      { actions: [{ type: "wait", milliseconds: 1 }] as never },
      { enhanced: true },
    ]) {
      const { base, requests } = await openPage();
      const { rendering } = await engine.capture({ url: `${base}/`, ...options });
      expect(requests).toEqual(expect.arrayContaining(["/one.png", "/site.woff2", "/film.webm"]));
      expect(rendering?.blocked).toEqual([]);
    }
  });

  it("reports the hosts of refused trackers", async () => {
    const { base } = await openSite((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<p>words</p><script src="http://www.google-analytics.com/a.js"></script>`);
    });
    const { rendering } = await engine.capture({ url: `${base}/`, blockAds: true });
    expect(rendering?.blocked).toEqual([
      { kind: "tracker", count: 1, addresses: ["www.google-analytics.com"] },
    ]);
  });
});

describe("the wait for a page", () => {
  const open = (script: string) =>
    openSite((request, response) => {
      if (request.url?.startsWith("/api") === true) response.end("data");
      else
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            `<!doctype html><main>${"<p>Words that the page has from its start.</p>".repeat(4)}</main><script>${script}</script>`,
          );
    });
  it.each([
    ["makes no requests", "", /^it makes no requests, .* for 80 ms$/],
    [
      "shows its data",
      `fetch("/api").then((r) => r.text()).then((text) => document.querySelector("main").insertAdjacentHTML("beforeend", "<p>" + text + "</p><p>that is</p><p>long enough to count as a change of the page</p>"));`,
      /^its text changed after its last response, .* for 120 ms$/,
    ],
    [
      "shows nothing of its last response",
      `fetch("/api");`,
      /^its requests have ended, .* for 300 ms$/,
    ],
    [
      "shows a loading indicator",
      `document.querySelector("main").insertAdjacentHTML("beforeend", "<div aria-busy=true>…</div>")`,
      /^it shows a loading indicator, .* for 1200 ms$/,
    ],
  ])("ends for a reason if it %s", async (_, script, reason) => {
    const { base } = await open(script);
    // On a busy machine a page may seem busy.
    const load = async () => (await engine.capture({ url: `${base}/` })).rendering?.ready;
    await expect.poll(load, { timeout: 20_000 }).toMatch(reason);
  });
});
