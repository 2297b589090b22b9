// A browser session used by hand in the console: open, type, record, save the profile, end.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { findViolations, launch, openConsole, signIn } from "./browser.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'&</title><script>alert(2)</script>`;
const PAGE = `<!doctype html><title>&lt;img src=x onerror=alert(1)&gt;</title><style>body{margin:0}input{display:block;box-sizing:border-box;width:100vw;height:50vh}</style>
<input name="user" title="<img src=x onerror=alert(1)>"><input type="password" name='"><script>alert(3)</script>'>`;

describe.skipIf(isRemote)("the live browser of the console", () => {
  let site: Server;
  let origin: string;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "seen=yes" }).end(PAGE);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => site.once("listening", resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: [new URL(origin).host] }),
      launch(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.closeAllConnections();
    site.close();
  });

  it("opens a hostile page, types into it, records steps, saves the profile and ends it", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/live`);
    await page.getByRole("button", { name: "Open a session" }).click();
    await page.getByLabel("Address", { exact: true }).fill(`${origin}/`);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
    const picture = page.getByRole("img", { name: "Picture of the page" });
    await page.locator("canvas[data-painted]").waitFor();
    expect(page.url()).not.toContain("?open=");
    await page.getByRole("button", { name: "Record steps" }).click();
    await page.getByText("recording", { exact: true }).waitFor();
    await picture.click({ position: { x: 200, y: 60 } });
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(HOSTILE)})`);
    await page.keyboard.press("Control+V");
    const steps = page.getByRole("region", { name: "Recorded steps" });
    await steps.getByText("a password (not kept)").waitFor();
    expect(await steps.getByRole("listitem").allInnerTexts()).toEqual([
      `open\n${origin}/`,
      `click\ninput[name="user"]`,
      "type\nAda",
      "press\nTab",
      "type\na password (not kept)",
    ]);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const code = "await page.locator('input').evaluateAll((all) => all.map((one) => one.value))";
    const typed = await service.client.session(id).run(code);
    expect(JSON.parse(typed.result ?? "")).toEqual(["Ada", HOSTILE]);
    await page.keyboard.press("Shift+Escape");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.getByLabel("Name", { exact: true }).fill("<b>fjell</b>");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as <b>fjell</b>.").waitFor();
    await page.goto(`${service.url}/console/live`);
    await page.getByRole("cell", { name: "<b>fjell</b>", exact: true }).waitFor();
    await page.locator("canvas[data-painted]").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto(`${service.url}/console/live/${id}`);
    await page.getByRole("link", { name: "Use as actions" }).click();
    await page.getByRole("textbox", { name: "URL" }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(JSON.parse(searchParams.get("options") ?? "")).toEqual({
      actions: [
        { type: "click", selector: 'input[name="user"]' },
        { type: "write", text: "Ada" },
        { type: "press", key: "Tab" },
        { type: "write", text: "PASSWORD" },
      ],
    });
    await page.goto(`${service.url}/console/live/${id}`);
    await page.getByRole("button", { name: "End session" }).click();
    await page.getByRole("button", { name: "End the session" }).click();
    await page.getByRole("heading", { name: "This session has ended" }).waitFor();
    opened.assertClean();
  });
});
