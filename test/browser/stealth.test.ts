import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listIncoherent } from "./coherence.ts";
import { serveDetectors, type DetectorReport } from "./detectors.ts";
import { buildBrowserEngine } from "./engine.ts";

const AGENT = "Tester/1 (+https://example.com/tester)";
let engine: ReturnType<typeof buildBrowserEngine>;
let page: Awaited<ReturnType<typeof serveDetectors>>;
let plain: DetectorReport;
let enhanced: DetectorReport;

beforeAll(async () => {
  engine = buildBrowserEngine({
    config: { userAgent: AGENT },
    lookup: async () => ["127.0.0.1"],
  });
  page = await serveDetectors();
  plain = await measure({ enhanced: false });
  enhanced = await measure({ enhanced: true });
});
afterAll(async () => {
  await engine.close();
  await page[Symbol.asyncDispose]();
});

/** Contradictions of ordinary pages, listed in docs/proxies.md. */
const PLAIN = [
  "order of headers",
  "no Headless or other product in the user agent",
  "no software renderer",
  "window with a frame, or a touch screen",
  "PDF viewer and chrome object",
  "client hints of workers",
  "languages of workers",
];

async function measure(options: {
  enhanced: boolean;
  mobile?: boolean;
  country?: string;
  languages?: string[];
}): Promise<DetectorReport> {
  const [report, capture] = await Promise.all([
    page.report(),
    // The detectors work for a moment after the page is quiet.
    engine.capture({ url: page.url, waitForMs: 1_000, ...options }),
  ]);
  expect(capture.statusCode).toBe(200);
  return report;
}

const findings = ({ botdFindings, scannerFindings }: DetectorReport) => ({
  botd: Object.keys(botdFindings).filter((name) => botdFindings[name]?.bot === true),
  scanner: Object.keys(scannerFindings).filter((name) => scannerFindings[name]?.detected === true),
});

describe("bot detection", () => {
  it("presents a headless browser with our identity by default", () => {
    expect(plain.botd).toEqual({ bot: true, botKind: "headless_chrome" });
    expect(plain.signals.userAgent).toContain(AGENT);
    expect(findings(plain).scanner).toContain("hasMissingChromeObject");
  });

  it("passes botd in enhanced mode, and fails only one check of fpscanner", () => {
    expect(enhanced.botd).toEqual({ bot: false });
    // It calls a missing WebGL "ERROR" in the page and "NA" in the worker, and compares both.
    expect(findings(enhanced)).toEqual({ botd: [], scanner: ["hasMismatchWebGLInWorker"] });
  });

  it("presents a consistent identity in enhanced mode", () => {
    const { signals, headers, workerHeaders } = enhanced;
    expect(JSON.stringify([signals, headers, workerHeaders])).not.toMatch(/headless|Tester/i);
    expect(headers["user-agent"]).toBe(signals.userAgent);
    expect(workerHeaders["user-agent"]).toBe(signals.userAgent);
    expect(signals.worker.userAgent).toBe(signals.userAgent);
    const [, main = "?"] = /Chrome\/(\d+)/.exec(signals.userAgent) ?? [];
    expect(signals.brands).toContain(`Chromium ${main}`);
    expect(headers["sec-ch-ua"]).toContain(`"Chromium";v="${main}"`);
    expect(signals).toMatchObject({
      webdriver: false,
      languages: ["en-US"],
      notification: "denied",
      notificationQuery: "denied",
      chrome: "object",
      inner: [1_280, 800],
      outer: [1_280, 886],
      screen: [1_920, 1_080],
      mimeTypes: 2,
      pluginFaults: [],
    });
    expect(signals.plugins).toHaveLength(5);
    expect(signals.platform).toContain("Linux");
  });

  it("fails no check of our own in enhanced mode", () => {
    expect(listIncoherent(enhanced)).toEqual([]);
    // The zone is the server's.
    const known = listIncoherent(plain).filter((name) => name !== "time zone and language");
    expect(known).toEqual(PLAIN);
  });

  it("keeps time zone and language of a country together", async () => {
    const german = await measure({ enhanced: true, country: "de" });
    expect(german.signals.timeZone).toBe("Europe/Berlin");
    expect(german.signals.languages).toEqual(["de-DE"]);
    expect(listIncoherent(german)).toEqual([]);
  });

  it("sends several languages of the caller without weights in enhanced mode", async () => {
    const swiss = await measure({ enhanced: true, country: "ch", languages: ["de-CH", "fr-CH"] });
    expect(swiss.headers["accept-language"]).toBe("de-CH,fr-CH");
    expect(listIncoherent(swiss)).toEqual(["weights of languages"]);
  });

  it("passes botd as a phone in enhanced mode", async () => {
    const phone = await measure({ enhanced: true, mobile: true });
    expect(phone.botd).toEqual({ bot: false });
    expect(listIncoherent(phone)).toEqual([]);
    expect(phone.signals.userAgent).toContain("Mobile");
    expect(phone.headers["sec-ch-ua-mobile"]).toBe("?1");
  });
});
