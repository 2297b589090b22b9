import { connect as connectHttp2 } from "node:http2";
import { get } from "node:https";
import { connect as connectTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { behaviours } from "../../site/behaviours/index.ts";
import { charsetText } from "../../site/behaviours/charsets.ts";
import { type Site, startSite } from "../../site/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const text = async (path: string, init?: RequestInit): Promise<string> =>
  (await fetch(site.url + path, init)).text();
const NO_ANSWER = /^\/(?:slow|endless|bomb|hang-up|short-body|short-file)/;

describe("fixture site", () => {
  it("the fixture site lists every path once and answers each", async () => {
    const paths = behaviours.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths.filter((candidate) => !NO_ANSWER.test(candidate))) {
      const response = await fetch(site.url + path.replace("/*", "/1"), { redirect: "manual" });
      await response.arrayBuffer();
      expect(response.status, path).toBeLessThan(504);
      expect(response.headers.get("date"), path).not.toBeNull();
    }
  });

  it("the fixture site records its requests", async () => {
    await text("/echo?a=1", { method: "POST", body: "ahoy", headers: { "x-test": "yes" } });
    expect(site.requests.at(-1)).toMatchObject({
      method: "POST",
      url: "/echo?a=1",
      body: "ahoy",
      server: "plain",
      headers: { "x-test": "yes" },
    });
  });

  it.each(["gzip", "br", "zstd", "deflate"])(
    "the fixture site compresses a page as %s readably",
    async (coding) => {
      expect(await text(`/compressed/${coding}`)).toContain("tires the sea");
    },
  );

  it("the fixture site redirects in chains and endless loops", async () => {
    expect(await text("/redirect/chain/5")).toContain("Basalt");
    await expect(fetch(`${site.url}/redirect/loop`)).rejects.toThrow();
  });

  it("the fixture site sends Shift_JIS bytes under a matching header", async () => {
    const response = await fetch(`${site.url}/charset/shift_jis/header`);
    expect(response.headers.get("content-type")).toBe("text/html; charset=shift_jis");
    expect(iconv.decode(Buffer.from(await response.arrayBuffer()), "shift_jis")).toContain(
      charsetText("shift_jis"),
    );
  });

  it("the fixture site lists twenty notes in its compressed sitemap", async () => {
    const response = await fetch(`${site.url}/sitemaps/packed.xml.gz`);
    expect(
      gunzipSync(await response.arrayBuffer())
        .toString()
        .match(/<loc>/g),
    ).toHaveLength(20);
  });

  it("the fixture site stops a bomb and an endless page when the client disconnects", async () => {
    for (const path of ["/endless", "/bomb/gzip"]) {
      const response = await fetch(site.url + path);
      const reader = response.body?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await reader?.cancel();
    }
  });

  it("the fixture site counts visits and changes by visit", async () => {
    expect(await text("/hits?key=a")).toContain("opened 1 times");
    expect(await text("/hits?key=a")).toContain("opened 2 times");
    expect(await text("/changing")).not.toBe(await text("/changing"));
  });
});

describe("TLS side of the fixture site", () => {
  it("a verifying client rejects the fixture site's certificate", async () => {
    await expect(verified(site.secureUrl)).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    expect(await verified(site.secureUrl, site.certificate)).toBe(200);
  });

  it("the fixture site has an expired certificate", async () => {
    const { port, hostname } = new URL(site.expiredUrl);
    const until = await new Promise<string>((resolve, reject) => {
      const socket = connectTls(
        { host: hostname, port: Number(port), rejectUnauthorized: false },
        () => {
          resolve(socket.getPeerCertificate().valid_to);
          socket.destroy();
        },
      );
      socket.on("error", reject);
    });
    expect(Date.parse(until)).toBeLessThan(Date.now());
  });

  it("the fixture site speaks HTTP/2", async () => {
    const session = connectHttp2(site.secureUrl, { ca: site.certificate });
    const status = await new Promise((resolve, reject) => {
      session.on("error", reject);
      session
        .request({ ":path": "/article" })
        .on("response", (headers) => resolve(headers[":status"]))
        .resume();
    });
    session.destroy();
    expect(status).toBe(200);
    expect(site.requests.at(-1)).toMatchObject({
      url: "/article",
      server: "secure",
      httpVersion: "2.0",
    });
  });
});

function verified(url: string, certificate?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/article`, certificate === undefined ? {} : { ca: certificate }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });
}
