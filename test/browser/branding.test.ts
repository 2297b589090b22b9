import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brandingProbe } from "../../src/browser/branding/branding-probe.ts";
import { runProbe } from "../../src/browser/page/page-probe.ts";
import { type Branding, brandingSchema } from "../../src/contract/page/branding.ts";
import { Deadline } from "../../src/deadline.ts";
import { derive } from "../../src/formats/derive.ts";
import { toBranding } from "../../src/formats/branding/to-branding.ts";
import {
  formatAnswer,
  disguise,
  isRight,
  openFromMemory,
  readLayout,
  readPlainPages,
  readTheme,
  readTruth,
  type Truth,
} from "../branding/pages.ts";
import { deriveInput } from "../derive-input.ts";
import { launchTestBrowser } from "./launch.ts";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchTestBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
});
afterAll(async () => {
  await browser.close();
});

async function readProfile(html: string, css = ""): Promise<Branding> {
  await openFromMemory(page, html, css);
  using deadline = Deadline.start(20_000);
  return toBranding(await runProbe(page, brandingProbe, deadline));
}

const wrong = (profile: Branding, truth: Truth): string[] =>
  Object.entries(truth).flatMap(([key, expected]) => {
    const answer = formatAnswer(profile, key);
    return isRight(answer, expected) ? [] : [`${key}: ${answer}, truth ${expected}`];
  });

/**
 * Checks that null occurs only where the contract allows it, and that colors have the clients'
 * format.
 */
function checkShape(profile: Branding): void {
  expect(() => brandingSchema.parse(profile)).not.toThrow();
  expect(JSON.stringify(profile)).not.toContain("null");
  for (const color of Object.values(profile.colors ?? {})) expect(color).toMatch(/^#[\dA-F]{6}$/);
  expect(profile.spacing?.baseUnit).toBeGreaterThanOrEqual(1);
  expect(profile.spacing?.baseUnit).toBeLessThanOrEqual(128);
}

describe("branding of Bootswatch themes", () => {
  it.each([
    ["flatly", "light", "landing"],
    ["united", "light", "app"],
    ["vapor", "dark", "shop"],
    ["solar", "dark", "blog"],
  ] as const)("reads the colors of %s %s on the %s page", async (theme, mode, layout) => {
    const css = await readTheme(theme);
    for (const how of ["none", "variables"] as const) {
      const page = disguise(await readLayout(layout), css, mode, how);
      const profile = await readProfile(page.html, page.css);
      expect(wrong(profile, readTruth(css, mode))).toEqual([]);
      checkShape(profile);
    }
  });
});

describe("branding of pages without Bootstrap", () => {
  it("reads the same branding as a person from pages without Bootstrap", async () => {
    for (const { name, html, truth } of await readPlainPages()) {
      const profile = await readProfile(html);
      expect([name, ...wrong(profile, truth)]).toEqual([name]);
      checkShape(profile);
    }
  });
});

describe("branding profile", () => {
  it("reads name, images, components and layout of a landing page", async () => {
    const page = disguise(await readLayout("shop"), await readTheme("flatly"), "light", "none");
    expect(await readProfile(page.html, page.css)).toMatchObject({
      colorScheme: "light",
      brandName: "Kestrel & Co.",
      logo: "http://branding.test/img/kestrel.svg",
      images: {
        logo: "http://branding.test/img/kestrel.svg",
        logoHref: "http://branding.test/",
        logoAlt: "Kestrel & Co.",
        favicon: "http://branding.test/favicon-192.png",
        ogImage: "https://branding.test/img/lamps.jpg",
      },
      fonts: [{ family: "Lato", role: "body" }],
      typography: { fontSizes: { body: "16px" }, fontWeights: { regular: 400 } },
      components: {
        buttonPrimary: { background: "#2C3E50", textColor: "#FFFFFF" },
        buttonSecondary: { background: "#95A5A6" },
        input: { background: "#FFFFFF", focusBorderColor: "#969FA8" },
      },
      personality: { targetAudience: "shoppers" },
    });
  });

  it("sets the document's branding when the page was opened for it", async () => {
    const { html, css } = disguise(
      await readLayout("app"),
      await readTheme("yeti"),
      "light",
      "none",
    );
    await openFromMemory(page, html, css);
    using deadline = Deadline.start(20_000);
    const evidence = await runProbe(page, brandingProbe, deadline);
    const input = deriveInput(html, { url: evidence.url, formats: [{ type: "branding" }] });
    expect(derive({ ...input, probes: { branding: evidence } }).document).toEqual({
      branding: toBranding(evidence),
    });
    expect(derive(input).document).toEqual({});
  });

  it("returns an inline logo without its scripts", async () => {
    const profile = await readProfile(
      `<html><body><header><a href="/" class="logo" onclick="x()"><svg width="90" height="30" onload="alert(1)" aria-label="Pike"><script>alert(2)</script><path fill="#123456" d="M0 0h9v9z"/></svg></a></header></body></html>`,
    );
    const drawing = decodeURIComponent(profile.logo ?? "");
    expect(drawing).toMatch(/^data:image\/svg\+xml,<svg/);
    expect(drawing).toContain("#123456");
    expect(drawing).not.toMatch(/script|alert|onload/);
  });

  it("uses the organization's logo in linked data if the page shows none", async () => {
    const page = disguise(await readLayout("blog"), await readTheme("lumen"), "light", "none");
    const profile = await readProfile(page.html, page.css);
    expect(profile.logo).toBe("https://branding.test/img/towpath.png");
    expect(profile.brandName).toBe("Towpath Notes");
  });
});

describe("branding of hostile pages", () => {
  it("reads the same branding when the page overrides built-ins", async () => {
    const hostile = `<script>Array.from=()=>{throw 1};JSON.stringify=()=>"x";window.getComputedStyle=()=>null;Map.prototype.set=()=>{};Element.prototype.getBoundingClientRect=()=>({});Object.prototype.toJSON=()=>"y"</script>`;
    const layout = await readLayout("landing");
    const css = await readTheme("flatly");
    const plain = await readProfile(layout, css);
    expect(await readProfile(layout.replace("</head>", `${hostile}</head>`), css)).toEqual(plain);
  });

  it("reads a huge and deep page within bounds", async () => {
    const deep = "<div style='padding:1px;background:#eee'>".repeat(2000);
    const wide = "<p class=x>word <b>bold</b></p>".repeat(30_000);
    await openFromMemory(page, `<html><body>${wide}${deep}text</body></html>`, "");
    using deadline = Deadline.start(20_000);
    const evidence = await runProbe(page, brandingProbe, deadline);
    expect(evidence.elements.length).toBeLessThanOrEqual(2500);
    checkShape(toBranding(evidence));
  });

  it("returns the same bytes for the same evidence and leaves the page unchanged", async () => {
    const html = disguise(await readLayout("app"), await readTheme("sketchy"), "dark", "none");
    await openFromMemory(page, html.html, html.css);
    const before = await page.content();
    using deadline = Deadline.start(20_000);
    const evidence = await runProbe(page, brandingProbe, deadline);
    expect(await page.content()).toBe(before);
    const copy = structuredClone(evidence);
    expect(JSON.stringify(toBranding(copy))).toBe(JSON.stringify(toBranding(evidence)));
  });

  it("fails within the deadline when a page script never ends", async () => {
    const busy = await browser.newPage();
    await busy.setContent("<p>busy</p>");
    void busy.evaluate("for(;;);").catch(() => undefined);
    using deadline = Deadline.start(600);
    await expect(runProbe(busy, brandingProbe, deadline)).rejects.toThrow(/timeout/);
    await busy.close();
  });
});
