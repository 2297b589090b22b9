// The server's part of the console: sign-in, sessions, writes only from its own pages, and its
// documents.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Answer, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

type Session = { readonly cookie: string; readonly csrf: string };
type View = { readonly csrfToken: string; readonly mode: string; readonly scopes: string[] };

const viewOf = ({ body }: Answer): View => body.data as unknown as View;

const cookieOf = ({ headers }: Answer): string =>
  (headers.get("set-cookie") ?? "").split(";")[0] ?? "";

/** A request as a browser sends it whose name for the server is `host`. */
async function askAs(
  host: string,
  url: string,
  { body, ...options }: { method?: string; headers?: Record<string, string>; body?: object } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = { host, "content-type": "application/json", ...options.headers };
  const asked = request(url, { ...options, headers }, (response) => {
    const parts: Buffer[] = [];
    response.on("data", (part: Buffer) => parts.push(part));
    response.on("end", () => {
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
    });
  });
  asked.on("error", reject);
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  return await promise;
}

describe.skipIf(isRemote)("the console's sessions", () => {
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

  const signInWith = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    service.ask("/console/session", { method: "POST", key: null, body, headers });

  async function signIn(body: object = { key: service.key }): Promise<Session> {
    const answer = await signInWith(body);
    expect(answer.status).toBe(200);
    return { cookie: cookieOf(answer), csrf: viewOf(answer).csrfToken };
  }

  const createLink = async (): Promise<string> => {
    const { body } = await service.admin("POST", "/admin/console-links", {});
    return (body.data as unknown as { path: string }).path.replace("/#sign-in=", "");
  };

  it("exchanges a key for a cookie that scripts cannot read and other sites do not send", async () => {
    const answer = await signInWith({ key: service.key });
    const header = answer.headers.get("set-cookie") ?? "";
    expect(header).toMatch(
      /^quarry_session_\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect(header).not.toContain(service.key);
    expect(answer.text).not.toContain(service.key);
    expect(viewOf(answer)).toMatchObject({ mode: "signed-in", scopes: ["read", "scrape", "jobs"] });
  });

  it("refuses an unknown key with 401 and sets no cookie", async () => {
    const answer = await signInWith({ key: "qy-nothing" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("reports the error of a body that is neither a key nor a link", async () => {
    const { status, body } = await signInWith({ password: "x" });
    expect(status).toBe(400);
    expect(body.error).toContain('"password"');
  });

  it("accepts reads with the cookie alone and writes only with the session's token", async () => {
    const { cookie, csrf } = await signIn();
    const read = await service.ask("/v2/jobs", { key: null, headers: { cookie } });
    expect(read.status).toBe(200);
    const page = { url: `${site.url}/article`, formats: ["markdown"] };
    const write = (headers: Record<string, string>): Promise<Answer> =>
      service.ask("/v2/scrape", { method: "POST", key: null, body: page, headers });
    expect((await write({ cookie })).status).toBe(403);
    expect((await write({ cookie, "x-csrf-token": "wrong" })).status).toBe(403);
    expect((await write({ cookie, "x-csrf-token": csrf })).status).toBe(200);
  });

  it("ignores the cookie of a request from a page of another origin", async () => {
    const { cookie, csrf } = await signIn();
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://127.0.0.1:1" },
      { origin: "null" },
    ] as const) {
      const read = await service.ask("/v2/jobs", { key: null, headers: { cookie, ...headers } });
      expect(read.status, JSON.stringify(headers)).toBe(401);
    }
    const own = new URL(service.url).origin;
    const write = await service.ask("/v2/map", {
      method: "POST",
      key: null,
      body: { url: site.url },
      headers: { cookie, "x-csrf-token": csrf, "sec-fetch-site": "same-origin", origin: own },
    });
    expect(write.status).toBe(200);
  });

  it("does not let a page of another origin sign a browser in", async () => {
    const answer = await signInWith({ key: service.key }, { origin: "http://elsewhere.example" });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("refuses sign-in, sessions and /mcp under a public name that is not the server's", async () => {
    const { cookie } = await signIn();
    const { host } = new URL(service.url);
    const rebound = host.replace("127.0.0.1", "rebound.example");
    const key = { authorization: `Bearer ${service.key}`, accept: "text/event-stream" };
    const signingIn = await askAs(rebound, `${service.url}/console/session`, {
      method: "POST",
      body: { key: service.key },
      headers: { origin: `http://${rebound}`, "sec-fetch-site": "same-origin" },
    });
    expect(signingIn.status).toBe(403);
    expect(signingIn.text).toContain("QUARRY_PUBLIC_URL");
    expect((await askAs(rebound, `${service.url}/v2/jobs`, { headers: { cookie } })).status).toBe(
      401,
    );
    expect((await askAs(host, `${service.url}/v2/jobs`, { headers: { cookie } })).status).toBe(200);
    expect((await askAs(rebound, `${service.url}/mcp`, { headers: key })).status).toBe(403);
    expect((await askAs(host, `${service.url}/mcp`, { headers: key })).status).not.toBe(403);
    expect((await askAs(rebound, `${service.url}/v2/jobs`, { headers: key })).status).toBe(200);
  });

  it("signs in under the name of the public URL, also behind a proxy that rewrites Host", async () => {
    const own = await startService(undefined, { publicUrl: "https://quarry.example" });
    try {
      for (const host of ["quarry.example", "127.0.0.1:3002"]) {
        const answer = await askAs(host, `${own.url}/console/session`, {
          method: "POST",
          body: { key: own.key },
          headers: { origin: "https://quarry.example", "sec-fetch-site": "same-origin" },
        });
        expect(answer.status, host).toBe(200);
      }
    } finally {
      await own.close();
    }
  });

  it("ends the console session at sign-out", async () => {
    const { cookie, csrf } = await signIn();
    const headers = { cookie, "x-csrf-token": csrf };
    const out = await service.ask("/console/session", { method: "DELETE", key: null, headers });
    expect(out.headers.get("set-cookie")).toMatch(/Max-Age=0/);
    const read = await service.ask("/v2/jobs", { key: null, headers: { cookie } });
    expect(read.status).toBe(401);
  });

  it("ends the console session when its key is revoked", async () => {
    const { id, key } = await service.createKey();
    const { cookie } = await signIn({ key });
    const read = (): Promise<Answer> => service.ask("/v2/jobs", { key: null, headers: { cookie } });
    expect((await read()).status).toBe(200);
    await service.admin("DELETE", `/admin/keys/${id}`);
    expect((await read()).status).toBe(401);
  });

  it("accepts a sign-in link once and gives its session every scope", async () => {
    const link = await createLink();
    const first = await signInWith({ link });
    expect(viewOf(first).scopes).toEqual(["read", "scrape", "jobs", "admin"]);
    const keys = await service.ask("/admin/keys", {
      key: null,
      headers: { cookie: cookieOf(first) },
    });
    expect(keys.status).toBe(200);
    const second = await signInWith({ link });
    expect(second.status).toBe(401);
    expect(second.body.error).toContain("was used or has expired");
  });

  it("rejects calls of operator routes by a session without the scope admin", async () => {
    const { cookie } = await signIn();
    const { status, body } = await service.ask("/admin/keys", { key: null, headers: { cookie } });
    expect(status).toBe(403);
    expect(body.error).toContain('"admin"');
  });

  it("creates sign-in links only for the token of the data folder", async () => {
    const { cookie, csrf } = await signIn({ link: await createLink() });
    const asked = await service.ask("/admin/console-links", {
      method: "POST",
      key: null,
      body: {},
      headers: { cookie, "x-csrf-token": csrf },
    });
    expect(asked.status).toBe(401);
    const withKey = await service.ask("/admin/console-links", { method: "POST", body: {} });
    expect(withKey.status).toBe(401);
  });

  it("keeps console sessions over a restart", async () => {
    const first = await startService(site);
    try {
      const answer = await first.ask("/console/session", {
        method: "POST",
        key: null,
        body: { key: first.key },
      });
      await first.stop();
      const second = await startService(site, { dataDir: first.dataDir });
      const read = await second.ask("/v2/jobs", {
        key: null,
        headers: { cookie: cookieOf(answer) },
      });
      expect(read.status).toBe(200);
      await second.stop();
    } finally {
      await first.close();
    }
  });
});

describe.skipIf(isRemote)("the console's documents", () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(undefined);
  });
  afterAll(async () => {
    await service.close();
  });

  it("sends the console with a policy that allows no inline script and nothing from elsewhere", async () => {
    const { status, headers, text } = await service.ask("/", { key: null });
    const policy = headers.get("content-security-policy") ?? "";
    expect(status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(policy).not.toMatch(/https?:/);
    expect(text).toContain('<script type="importmap">');
    expect(text.match(/<script(?![^>]*\bsrc=)/g)).toHaveLength(1);
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it("serves modules without types, compressed and cacheable under the hash of their content", async () => {
    const { text: html } = await service.ask("/", { key: null });
    const [, address = ""] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const { headers, text } = await service.ask(address, { key: null });
    expect(headers.get("content-type")).toContain("text/javascript");
    expect(headers.get("content-encoding")).toBe("gzip");
    expect(headers.get("cache-control")).toContain("immutable");
    expect(text).toContain("import");
    const other = await service.ask(address.replace(/\?.*/, "?v=old"), { key: null });
    expect(other.headers.get("cache-control")).toBe("no-cache");
  });

  it("lists every module in its import map with an address that exists", async () => {
    const { text: html } = await service.ask("/", { key: null });
    const [, json = "{}"] = /<script type="importmap">([^<]+)</.exec(html) ?? [];
    const { imports } = JSON.parse(json) as { imports: Record<string, string> };
    for (const address of new Set(Object.values(imports))) {
      const { status } = await service.ask(address, { key: null });
      expect(status, address).toBe(200);
    }
  });

  it("answers 404 for files outside the console's folders", async () => {
    for (const path of [
      "/console/app/../shell.ts",
      "/console/app/%2e%2e/shell.ts",
      "/console/lib/zod/index.js",
    ])
      expect((await service.ask(path, { key: null })).status, path).toBe(404);
  });

  it("shows page content in a frame document without network that runs only its own script", async () => {
    const { headers, text } = await service.ask("/console/frame", { key: null });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("sandbox allow-scripts;");
    expect(policy).not.toContain("allow-same-origin");
    expect(policy).toMatch(/script-src 'sha256-[^']+';/);
    expect(text).toContain("postMessage");
  });

  it("answers a program that asks for JSON at / with name and version", async () => {
    const { body } = await service.ask("/", { key: null, headers: { accept: "application/json" } });
    expect(body).toMatchObject({ name: "Quarry", docs: "/docs" });
  });
});

describe.skipIf(isRemote)("a server without the console", () => {
  it("redirects / to the guides without the console, and serves neither its files nor its sessions", async () => {
    const service = await startService(undefined, { console: false });
    try {
      const { status, headers } = await service.ask("/", { key: null });
      expect(status).toBe(302);
      expect(headers.get("location")).toBe("/docs");
      for (const path of ["/console/session", "/console/app/main.ts", "/console/jobs"])
        expect((await service.ask(path, { key: null })).status, path).toBe(404);
    } finally {
      await service.close();
    }
  });
});

describe.skipIf(isRemote)("the console without keys", () => {
  it("opens the console on loopback without keys and operator, and rejects other hosts and origins", async () => {
    const service = await startService(undefined, { auth: false });
    try {
      const ask = (headers: Record<string, string>): Promise<Answer> =>
        service.ask("/console/session", { key: null, headers });
      expect(viewOf(await ask({})).mode).toBe("open");
      expect((await ask({ origin: "http://elsewhere.example" })).status).toBe(403);
      expect((await service.ask("/admin/keys", { key: null })).status).toBe(401);
      const { text } = await service.ask("/console/jobs", { key: null });
      expect(text).toContain("&#34;mode&#34;:&#34;open&#34;");
    } finally {
      await service.close();
    }
  });
});
