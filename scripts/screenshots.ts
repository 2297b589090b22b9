// Screenshots of every screen of the console, in both themes and at phone width, of the server that
// runs on the data folder. Details, such as a job, are those of the first entry of their list:
// npm run screenshots                    into ./screenshots
// npm run screenshots -- FOLDER URL…     also scrapes these URLs in the playground first
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { loadConfig } from "../src/config.ts";
import { findServer } from "../src/store/database/server-file.ts";
import { launchTestBrowser } from "../test/browser/launch.ts";

const SCREENS: readonly (readonly [name: string, path: string])[] = [
  ["playground", "/"],
  ...["crawl", "map", "batch", "search", "parse", "extract", "agent", "interact"].map(
    (mode) => [`playground-${mode}`, `/?mode=${mode}`] as const,
  ),
  ["jobs", "/console/jobs"],
  ["data", "/console/data"],
  ["data-new", "/console/data/new"],
  ["agents", "/console/agents"],
  ["live", "/console/live"],
  ["live-open", "/console/live?new=session"],
  ["changes", "/console/changes"],
  ["monitors", "/console/changes?tab=monitors"],
  ["monitor-new", "/console/changes?new=monitor"],
  ["search", "/console/search?q=page"],
  ["start", "/console/start"],
  ["health", "/console/health"],
  ["usage", "/console/health?tab=usage"],
  ["checks", "/console/health?tab=checks"],
  ["egress", "/console/health?tab=egress"],
  ["settings", "/console/health?tab=settings"],
  ["keys", "/console/keys"],
  ["accounts", "/console/keys?tab=accounts"],
  ["components", "/console/components"],
];

/** Screens of one entry: the list that leads to it, the start of its address, and its tabs. */
const DETAILS: readonly (readonly [
  name: string,
  list: string,
  start: string,
  tabs: readonly string[],
])[] = [
  [
    "job",
    "/console/jobs?kind=crawl",
    "/console/jobs/crawl/",
    ["ledger", "pages", "errors", "webhooks", "settings"],
  ],
  ["agent-run", "/console/agents", "/console/agents/", ["table", "json"]],
  ["extractor", "/console/data", "/console/data/", [""]],
  ["session", "/console/live", "/console/live/", [""]],
  ["page-history", "/console/changes", "/console/changes/pages/", [""]],
  [
    "monitor",
    "/console/changes?tab=monitors",
    "/console/changes/monitors/",
    ["checks", "channels", "rules"],
  ],
];

const SIZES = { desk: { width: 1_280, height: 820 }, phone: { width: 390, height: 800 } } as const;

const [folder = "screenshots", ...urls] = process.argv.slice(2);
const running = await findServer(loadConfig());
if (running === undefined) throw new Error("No server runs on this data folder; start one first.");
await mkdir(folder, { recursive: true });

const response = await fetch(`${running.url}/admin/console-links`, {
  method: "POST",
  headers: { authorization: `Bearer ${running.adminToken}`, "content-type": "application/json" },
  body: "{}",
});
const { data } = (await response.json()) as { readonly data: { readonly path: string } };
const link = data.path.replace("/#sign-in=", "");

const results = urls.flatMap((url, index) =>
  ["markdown", "why", "waterfall"].map(
    (tab) =>
      [`result-${index + 1}-${tab}`, `/?url=${encodeURIComponent(url)}&tab=${tab}&run=1`] as const,
  ),
);

await using browser = await launchTestBrowser();
const first = await browser.newContext();
await first.request.post(`${running.url}/console/session`, { data: { link } });
const cookies = await first.cookies();

async function findDetails(page: Page): Promise<(readonly [name: string, path: string])[]> {
  const found: (readonly [string, string])[] = [];
  for (const [name, list, start, tabs] of DETAILS) {
    await page.goto(`${running?.url}${list}`);
    await waitUntilLoaded(page);
    const links = page.locator(`main a[href^="${start}"]:not([href="${start}new"])`);
    const path = (await links.count()) === 0 ? null : await links.first().getAttribute("href");
    if (path === null) process.stderr.write(`${name}: ${list} has no entry, so no picture.\n`);
    else
      for (const tab of tabs)
        found.push(
          tab === "" ? [name, path] : [`${name}-${tab}`, `${path.split("?")[0]}?tab=${tab}`],
        );
  }
  return found;
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const screens = [...SCREENS, ...results, ...(await findDetails(await first.newPage()))];
for (const theme of ["light", "dark"] as const)
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({ viewport, colorScheme: theme, locale: "en-US" });
    await context.addCookies(cookies);
    const page = await context.newPage();
    for (const [name, address] of screens) {
      await page.goto(`${running.url}${address}`);
      // The page of components always shows a skeleton.
      if (name === "components") await page.locator("h1").first().waitFor();
      else await waitUntilLoaded(page);
      if (name.endsWith("-why"))
        await page.frameLocator("iframe").locator("body > *").first().waitFor();
      await page.screenshot({ path: path.join(folder, `${name}-${theme}-${size}.png`) });
    }
    await context.close();
  }
process.stdout.write(`${screens.length * 4} pictures in ${folder}\n`);
