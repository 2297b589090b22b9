import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { buildEngine, closeAll, openSite, textOf } from "../../test/http-fetching.ts";
import { createTestConfig } from "../config.ts";

afterEach(closeAll);

describe("HTTP redirects", () => {
  const openRedirects = (status: number, location: string) =>
    openSite((request, response) => {
      if (request.url === "/end") response.end("end");
      else response.writeHead(status, { Location: location }).end("moved");
    });

  it.each([301, 302, 303, 307, 308])("follows and records a %i redirect", async (status) => {
    const { base } = await openRedirects(status, "/end");
    const capture = await buildEngine().capture({ url: `${base}/start#part` });
    expect(capture.finalUrl).toBe(`${base}/end#part`);
    expect(capture.redirects).toEqual([`${base}/start#part`]);
    expect(textOf(capture)).toBe("end");
  });

  it("asks mayRedirect for each target and sends nothing to a refused one", async () => {
    const asked: (string | undefined)[] = [];
    const { base } = await openSite((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { Location: request.url === "/" ? "/one" : "/two" }).end();
    });
    const error = await buildEngine().failure({
      url: base,
      mayRedirect: async ({ pathname }) => pathname === "/one",
    });
    expect(error.code).toBe("UNSUPPORTED_SITE");
    expect(error.message).toContain(`redirects to ${base}/two`);
    expect(asked).toEqual(["/", "/one"]);
  });

  it.each([301, 302, 307, 308])(
    "refuses a %i redirect to metadata or loopback addresses",
    async (status) => {
      for (const target of [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "http://localhost:1/",
        "http://[::1]/",
        "//127.1.1.1/",
      ]) {
        const { base } = await openRedirects(status, target);
        const error = await buildEngine().failure({ url: base });
        expect(error.code).toBe("UNSUPPORTED_SITE");
        expect(error.message).toContain("redirects to an address that is refused");
      }
    },
  );

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "data:text/html,x", "javascript:1"])(
    "refuses a redirect to %s",
    async (target) => {
      const { base } = await openRedirects(302, target);
      const error = await buildEngine().failure({ url: base });
      expect(error.code).toBe("UNSUPPORTED_SITE");
      expect(error.message).toContain("only http and https");
    },
  );

  it("follows a redirect whose body is endless or huge", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/end") return void response.end("end");
      const length = request.url === "/huge" ? { "Content-Length": 50_000_000 } : {};
      response.writeHead(302, { Location: "/end", ...length });
      response.write("x");
      if (request.url === "/flood") response.write("x".repeat(1_000_000));
    });
    const { capture } = buildEngine();
    for (const path of ["/huge", "/flood", "/stalled"])
      expect(textOf(await capture({ url: base + path }))).toBe("end");
  });

  it("returns the page of a redirect to an invalid URL", async () => {
    const { base } = await openRedirects(302, "http://[");
    const capture = await buildEngine().capture({ url: base });
    expect([capture.statusCode, textOf(capture)]).toEqual([302, "moved"]);
    expect(capture.warnings).toHaveLength(1);
  });

  it("gives up circular and endless redirects", async () => {
    let visits = 0;
    const { base } = await openSite((request, response) => {
      visits++;
      const next = request.url === "/a" ? "/b" : request.url === "/b" ? "/a" : `/n${visits}`;
      response.writeHead(302, { Location: next }).end();
    });
    const { failure } = buildEngine();
    const loop = await failure({ url: `${base}/a` });
    expect([loop.code, visits]).toEqual(["SCRAPE_TOO_MANY_REDIRECTS", 2]);
    expect(loop.message).toMatch(
      /redirects in a loop: the same URL was reached again after 2 redirects/,
    );
    visits = 0;
    const endless = await failure({ url: `${base}/n`, maxRedirects: 4 });
    expect([endless.code, visits]).toEqual(["SCRAPE_TOO_MANY_REDIRECTS", 5]);
  });

  it("allows a redirect that sets a cookie and comes back", async () => {
    const { base } = await openSite((request, response) => {
      if (request.headers.cookie === "own=1; seen=yes") response.end("welcome");
      else response.writeHead(302, { Location: "/", "Set-Cookie": "seen=yes; Path=/" }).end();
    });
    const { capture } = buildEngine();
    const page = await capture({ url: `${base}/`, headers: { Cookie: "own=1" } });
    expect(textOf(page)).toBe("welcome");
    await expect(capture({ url: `${base}/` })).rejects.toThrow(/loop/); // cookies do not outlive the fetch
  });

  it("sends no credentials on a redirect to another origin", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const other = await openSite((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const { port } = await openSite((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { Location: `http://other.example:${other.port}/` }).end();
    });
    const { capture } = buildEngine({}, () => Promise.resolve(["127.0.0.1"]));
    await capture({
      url: `http://one.example:${port}/`,
      headers: {
        Authorization: "Bearer x",
        Cookie: "a=1",
        "X-Api-Key": "k",
        "X-Whatever": "w",
        "Accept-Language": "xx",
      },
    });
    expect(seen[0]).toMatchObject({
      authorization: "Bearer x",
      cookie: "a=1",
      "x-api-key": "k",
      "x-whatever": "w",
    });
    for (const name of ["authorization", "cookie", "x-api-key", "x-whatever"])
      expect(seen[1]).not.toHaveProperty(name);
    expect(seen[1]).toMatchObject({
      "accept-language": "xx",
      "user-agent": createTestConfig().userAgent,
    });
  });

  it("follows a Refresh header and a meta refresh on an empty page", async () => {
    const { base } = await openSite((request, response) => {
      response.setHeader("Content-Type", "text/html");
      if (request.url === "/header")
        response.writeHead(200, { Refresh: "0; url=/end" }).end("wait");
      else if (request.url === "/later")
        response.writeHead(200, { Refresh: "9; url=/end" }).end("stay");
      else if (request.url === "/meta")
        response.end(`<meta http-equiv=Refresh content="1;URL='/end?a=1&amp;b'"><p>Moving on</p>`);
      else if (request.url === "/text")
        response.end(`<meta http-equiv=refresh content="0;/end"><p>${"text ".repeat(200)}</p>`);
      else if (request.url === "/noscript")
        response.end(`<noscript><meta http-equiv=refresh content="0;/end"></noscript>app`);
      else if (request.url === "/bad")
        response.end(`<meta http-equiv=refresh content="0;http://169.254.169.254/">`);
      else response.end("end");
    });
    const { capture, failure } = buildEngine();
    const finalUrl = async (path: string) => (await capture({ url: base + path })).finalUrl;
    expect(await finalUrl("/header")).toBe(`${base}/end`);
    expect(await finalUrl("/meta")).toBe(`${base}/end?a=1&b`);
    for (const path of ["/later", "/text", "/noscript"])
      expect(await finalUrl(path)).toBe(base + path);
    expect((await failure({ url: `${base}/bad` })).code).toBe("UNSUPPORTED_SITE");
  });
});
