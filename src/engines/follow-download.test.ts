import { brandingProbe } from "../browser/branding/branding-probe.ts";
import { describe, expect, it } from "vitest";
import type { Capture } from "../capture.ts";
import { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { Outcome } from "./engine.ts";
import { downloadTarget, followDownload } from "./follow-download.ts";
import type { HttpFetch } from "./http.ts";

const plain = { actions: [], screenshot: undefined, probes: [] };
const bare = { download: "https://a.example/paper.pdf", html: "<p>One moment" };

describe("download page detection", () => {
  it("returns the file that a page only downloads", () => {
    expect(downloadTarget(plain, bare)?.href).toBe(bare.download);
  });

  it.each([
    ["no download", plain, { ...bare, download: undefined }],
    [
      "a download that was made in the page",
      plain,
      { ...bare, download: "blob:https://a.example/1" },
    ],
    ["words of its own", plain, { ...bare, html: `<p>${"word ".repeat(80)}` }],
    ["a picture of it", { ...plain, screenshot: { fullPage: false } as never }, bare],
    ["its looks", { ...plain, probes: [brandingProbe] }, bare],
    ["steps in it", { ...plain, actions: [{ type: "wait" } as never] }, bare],
  ])("returns nothing for a page with %s", (_, request, visited) => {
    expect(downloadTarget(request, visited)).toBeUndefined();
  });
});

describe("followed downloads", () => {
  const page = {
    finalUrl: "https://a.example/page",
    redirects: ["https://a.example/"],
  } as unknown as Capture;
  const file = {
    finalUrl: "https://a.example/paper-2.pdf",
    redirects: ["https://a.example/paper.pdf"],
    mimeType: "application/pdf",
  } as unknown as Capture;
  const headers = { Cookie: "mine", "Accept-Language": "de" };

  async function follow(
    target: string,
    more: Partial<HttpFetch> = {},
    outcome?: Outcome,
    wants = true,
  ) {
    const asked: HttpFetch[] = [];
    using deadline = Deadline.start(5_000);
    const http = {
      name: "http",
      fetch: async (request: HttpFetch): Promise<Outcome> => {
        asked.push(request);
        return outcome ?? { kind: "captured", capture: file };
      },
    };
    const request = { url: "https://a.example/", headers, skipTlsVerification: false, ...more };
    const found = await followDownload(
      http,
      request,
      { page, target: new URL(target) },
      { deadline, isWanted: () => wants },
    );
    return { found, asked };
  }

  it("fetches the file like a redirect and records the redirect", async () => {
    const { found, asked } = await follow("https://a.example/paper.pdf");
    expect(asked).toMatchObject([
      { url: "https://a.example/paper.pdf", headers: { cookie: "mine", "accept-language": "de" } },
    ]);
    expect(found?.redirects).toEqual([
      "https://a.example/",
      "https://a.example/page",
      "https://a.example/paper.pdf",
    ]);
  });

  it("sends none of the first site's credentials to a file on another site", async () => {
    const { asked } = await follow("https://b.example/paper.pdf");
    expect(asked[0]?.headers).toEqual({ "accept-language": "de" });
  });

  it("keeps the page when the file is forbidden, unavailable or no document", async () => {
    const forbidden = await follow("https://a.example/p.pdf", { mayRedirect: async () => false });
    expect([forbidden.found, forbidden.asked]).toEqual([undefined, []]);
    const failed = { kind: "failed", error: new TargetError("SCRAPE_SITE_ERROR", "no") } as const;
    expect((await follow("https://a.example/p.pdf", {}, failed)).found).toBeUndefined();
    expect((await follow("https://a.example/p.zip", {}, undefined, false)).found).toBeUndefined();
  });
});
