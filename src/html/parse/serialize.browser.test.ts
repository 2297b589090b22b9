import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchTestBrowser } from "../../../test/browser/launch.ts";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(async () => {
  await browser.close();
});

const CALL = "window.ran=(window.ran||0)+1";
/** Each one runs `CALL` in a browser that shows it raw, at once or on click. */
const HOSTILE = [
  `<a href="&#1;javascript:${CALL}">x</a>`,
  `<a href="java&#10;script:${CALL}">x</a>`,
  `<img src=x onerror="${CALL}">`,
  `<svg><style><img src=x onerror="${CALL}"></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${CALL}">`,
  `<svg><a xlink:href="javascript:${CALL}"><rect width="50" height="50"/></a></svg>`,
  `<svg><a><set attributeName="href" to="javascript:${CALL}"/><rect width="50" height="50"/></a></svg>`,
  `<form action="javascript:${CALL}"><button>x</button></form>`,
  `<button form="f" formaction="javascript:${CALL}">x</button><form id="f"></form>`,
  `<iframe srcdoc="<script>parent.${CALL.replaceAll("window.", "parent.")}</script>"></iframe>`,
  `<iframe src="javascript:parent.${CALL.replaceAll("window.", "parent.")}"></iframe>`,
  `<details open ontoggle="${CALL}"><summary>x</summary></details>`,
  `<script>${CALL}</script>`,
  `<p title="</noscript><img src=x onerror=${CALL}>">x</p>`,
  `<!--><img src=x onerror="${CALL}">-->`,
] as const;

async function countRuns(html: string): Promise<number> {
  const page = await browser.newPage();
  try {
    await page.setContent(`<!doctype html><body>${html}`);
    for (const target of await page.locator("a, button").all())
      await target.dispatchEvent("click").catch(() => undefined);
    for (const target of await page.locator("rect").all())
      await target.click({ timeout: 300 }).catch(() => undefined);
    // Frames and failing pictures report within two turns of the page's event loop.
    await page.waitForFunction('document.readyState === "complete"');
    return (await page.evaluate(
      "new Promise((done) => setTimeout(() => done(window.ran || 0), 50))",
    )) as number;
  } finally {
    await page.close();
  }
}

it("runs no code of a page in a browser that shows its html format", async () => {
  const raw: number[] = [];
  const safe: number[] = [];
  for (const markup of HOSTILE) {
    raw.push(await countRuns(markup));
    safe.push(await countRuns(toHtml(parseHtml(markup), { safe: true })));
  }
  expect(safe).toEqual(HOSTILE.map(() => 0));
  // Control: most of them run when shown unchanged.
  expect(raw.filter((runs) => runs > 0).length, raw.join(" ")).toBeGreaterThan(8);
});
