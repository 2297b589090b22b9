// URLs and headers: the ones that are sent, and the rejection of others.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

describe("rejected URLs", () => {
  it("answers 400 with the reason for an invalid URL", async () => {
    for (const [url, text] of [
      ["", "Invalid URL"],
      ["http://", "Invalid URL"],
      ["http://exa mple.com/", "Invalid URL"],
      ["ftp://example.com/file", "unsupported protocol"],
      ["file:///etc/passwd", "unsupported protocol"],
      ["javascript:alert(1)", "unsupported protocol"],
      ["data:text/html,<p>x</p>", "unsupported protocol"],
      ["view-source:https://example.com", "unsupported protocol"],
      ["chrome://settings", "unsupported protocol"],
      ["nodots", "top-level domain"],
    ] as const) {
      const answer = await service.scrape({ url });
      expect(answer.status, url).toBe(400);
      expect(answer.body.code, url).toBe("BAD_REQUEST");
      expect(answer.body.error, url).toContain(text);
      expect(answer.body.details?.[0]?.path, url).toEqual(["url"]);
    }
  });

  // A remote server has an allow-list that includes the fixture site.
  it.skipIf(isRemote)(
    "answers 403 UNSUPPORTED_SITE for every spelling of a private address",
    async () => {
      const { port } = new URL(service.url);
      const before = site.requests.length;
      for (const url of [
        `http://127.0.0.1:${port}/metrics`,
        "http://10.0.0.1/",
        "http://172.16.3.4/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fd00::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://localhost/",
        "http://localhost./",
        "http://①②⑦.⓪.⓪.①/",
      ]) {
        const answer = await service.scrape({ url });
        expect(answer.status, `${url} ${answer.text}`).toBe(403);
        expect(answer.body, url).toMatchObject({ success: false, code: "UNSUPPORTED_SITE" });
      }
      expect(site.requests.length).toBe(before);
    },
  );

  it("refuses a redirect to a forbidden address without fetching it", async () => {
    for (const name of [
      "private",
      "metadata",
      "localhost",
      "mapped",
      "decimal",
      "file",
      "data",
      "javascript",
      "ftp",
    ]) {
      const answer = await service.scrape({ url: `${site.url}/redirect/${name}`, maxAge: 0 });
      expect(answer.status, `${name} ${answer.text}`).toBe(403);
      expect(answer.body.code, name).toBe("UNSUPPORTED_SITE");
    }
  });

  it("answers 200 with success false for an unresolvable host and charges one credit", async () => {
    const answer = await service.scrape({ url: "http://no-such-host.invalid/page" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ success: false, code: "SCRAPE_DNS_RESOLUTION_ERROR" });
    await expect(service.client.scrape("http://例え.invalid/ページ")).rejects.toMatchObject({
      code: "SCRAPE_DNS_RESOLUTION_ERROR",
      status: 200,
    });
  });

  it("returns a named error when nothing listens at the address", async () => {
    const { port } = new URL(site.url);
    const answer = await service.scrape({ url: `${site.url}/hang-up` });
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe("SCRAPE_SITE_ERROR");
    expect(answer.body.error).toContain(port);
  });
});

describe("unusual valid URLs", () => {
  it("escapes spaces, non-Latin letters, brackets and quotes of a URL", async () => {
    for (const [written, sent] of [
      ["/tiny?note=two words", "/tiny?note=two%20words"],
      ["/tiny?ort=Köln", "/tiny?ort=K%C3%B6ln"],
      ['/tiny?q="a"<b>', "/tiny?q=%22a%22%3Cb%3E"],
      ["/tiny?pagewanted=all&et_blog", "/tiny?pagewanted=all&et_blog"],
    ] as const) {
      const { metadata } = await service.page({ url: `  ${site.url}${written} ` });
      expect(metadata.sourceURL).toBe(`  ${site.url}${written} `);
      expect(site.requests.at(-1)?.url, written).toBe(sent);
    }
  });
});

describe("rejected headers", () => {
  it("answers 400 naming a header with a line break or control character", async () => {
    for (const headers of [
      { "x-a": "1\r\nx-injected: 1" },
      { "x-a": "1\nx-injected: 1" },
      { "x-a": "\u0000" },
      { "x a": "1" },
      { "x:a": "1" },
      { "x-a\r\nx-injected": "1" },
      { "": "1" },
    ] as Record<string, string>[]) {
      const answer = await service.scrape({ url: `${site.url}/echo`, headers });
      expect(answer.status, JSON.stringify(headers)).toBe(400);
      expect(answer.body.code).toBe("BAD_REQUEST");
      const named = Object.values(headers).includes("\0") ? "x-a in the request body" : "headers";
      expect(JSON.stringify(answer.body)).toContain(named);
    }
    expect(site.requests.some(({ headers }) => "x-injected" in headers)).toBe(false);
  });

  it("drops connection headers with a warning", async () => {
    const headers = {
      host: "evil.example",
      "content-length": "5",
      "proxy-authorization": "x",
      "x-ok": "1",
    };
    const document = await service.page({ url: `${site.url}/echo`, headers, formats: ["rawHtml"] });
    const sent = (JSON.parse(document.rawHtml ?? "") as { headers: object }).headers;
    expect(sent).toMatchObject({ host: new URL(site.url).host, "x-ok": "1" });
    expect(sent).not.toHaveProperty("proxy-authorization");
    expect(sent).not.toHaveProperty("content-length");
    expect(document.warning).toContain("proxy-authorization");
  });
});
