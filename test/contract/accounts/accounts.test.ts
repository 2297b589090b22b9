// Accounts over HTTP and the command line: creation, disabling, and permissions of keys.
import { QuarryClient } from "../../../client/client.ts";
import { ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import { getScope } from "../../../src/contract/account/scopes.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, siteHosts, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  service = await startService(site, {
    egressAllow: siteHosts(site).flatMap((host) => [host, host.replace("127.0.0.1", "localhost")]),
  });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await site.close();
});

const make = async (path: string, body: object): Promise<{ id: string; key: string }> => {
  const { body: answer, text } = await service.admin("POST", path, body);
  expect(answer.success, text).toBe(true);
  return answer.data as unknown as { id: string; key: string };
};

describe.skipIf(isRemote)("accounts", () => {
  it("accounts have unique names and separate keys", async () => {
    const { id } = await make("/admin/accounts", { name: "tenant", creditBudget: 30 });
    const again = await service.admin("POST", "/admin/accounts", { name: "tenant" });
    expect([again.status, again.body.code]).toEqual([409, "CONFLICT"]);
    const { key } = await make("/admin/keys", { name: "desk", account: "tenant" });
    const usage = await service.ask("/v2/team/credit-usage", { key });
    expect(usage.body.data).toMatchObject({ remainingCredits: 30, planCredits: 30 });
    const { text } = await service.admin("GET", `/admin/keys?account=${id}`);
    expect(text).toContain("desk");
    expect((await service.admin("GET", "/admin/keys")).text).not.toContain("desk");
    const unknown = await service.admin("POST", "/admin/keys", { name: "x", account: "nobody" });
    expect([unknown.status, unknown.body.error]).toEqual([
      404,
      'There is no account "nobody"; quarry accounts list shows names and ids.',
    ]);
  });

  it("changes only the named limits of an account", async () => {
    const { id } = await make("/admin/accounts", {
      name: "grows",
      creditBudget: 30,
      concurrency: 2,
    });
    const desk = await make("/admin/keys", { name: "desk", account: "grows", creditBudget: 20 });
    const change = async (path: string, body: object): Promise<object> => {
      const { body: answer, text } = await service.admin("PATCH", path, body);
      expect(answer.success, text).toBe(true);
      return answer.data as unknown as object;
    };
    const credits = async (): Promise<unknown> =>
      (await service.ask("/v2/team/credit-usage", { key: desk.key })).body.data;
    expect(await change("/admin/accounts/grows", { creditBudget: 50 })).toMatchObject({
      id,
      limits: { creditBudget: 50, concurrency: 2, requestsPerMinute: null },
    });
    expect(await credits()).toMatchObject({ remainingCredits: 20, planCredits: 20 });
    await change(`/admin/keys/${desk.id}`, { creditBudget: null });
    expect(await credits()).toMatchObject({ remainingCredits: 50, planCredits: 50 });
    expect(
      await change("/admin/accounts/grows", { creditBudget: 10, concurrency: null }),
    ).toMatchObject({
      limits: { creditBudget: 10, concurrency: null },
    });
    expect(await credits()).toMatchObject({ remainingCredits: 10, planCredits: 10 });
    const wrong = await service.admin("PATCH", "/admin/accounts/grows", { concurrency: 0 });
    expect([wrong.status, wrong.body.error]).toEqual([
      400,
      expect.stringContaining("concurrency") as string,
    ]);
    const unknown = await service.admin("PATCH", "/admin/accounts/nobody", { concurrency: 1 });
    expect(unknown.status).toBe(404);
  });

  it("disabling an account rejects its keys and stops its jobs", async () => {
    await make("/admin/accounts", { name: "leaver" });
    const { key } = await make("/admin/keys", { name: "desk", account: "leaver" });
    const started = await service.ask("/v2/crawl", {
      method: "POST",
      key,
      body: { url: `${site.url}/slow/silent` },
    });
    expect(started.status, started.text).toBe(200);
    await service.admin("POST", "/admin/accounts/leaver/disable");
    const refused = await service.ask(`/v2/crawl/${String(started.body["id"])}`, { key });
    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
    expect(refused.body.error).toContain('the account "leaver" of this key is disabled');
    await service.admin("POST", "/admin/accounts/leaver/enable");
    const after = await service.ask(`/v2/crawl/${String(started.body["id"])}`, { key });
    expect(after.body).toMatchObject({ status: "cancelled" });
  });
});

describe.skipIf(isRemote)("scopes of a key", () => {
  it("every endpoint answers 403 naming the missing scope", async () => {
    const keys = {
      scrape: await make("/admin/keys", { name: "jobs only", scopes: ["jobs"] }),
      jobs: await make("/admin/keys", { name: "scrape only", scopes: ["scrape"] }),
      read: await make("/admin/keys", { name: "no reading", scopes: ["scrape", "jobs"] }),
    };
    for (const endpoint of ENDPOINTS) {
      const scope = getScope(endpoint);
      // An upload address has a signature in place of a key.
      if (scope === "any" || scope === "admin" || endpoint.upload === "raw") continue;
      const path = endpoint.path.replaceAll(/:\w+/g, "00000000-0000-7000-8000-00000000ffff");
      const { method } = endpoint;
      const answer = await service.ask(path, {
        method,
        key: keys[scope].key,
        ...(method === "POST" || method === "PATCH" ? { body: {} } : {}),
      });
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, "FORBIDDEN"]);
      expect(answer.body.error).toContain(`lacks the scope "${scope}"`);
    }
  });

  it("the scope admin opens the operator's routes and nothing else", async () => {
    const operator = await make("/admin/keys", { name: "operator", scopes: ["admin"] });
    const plain = await make("/admin/keys", { name: "plain" });
    const list = (key: string) => service.ask("/admin/accounts", { key });
    expect((await list(operator.key)).status).toBe(200);
    const refused = await list(plain.key);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'Forbidden: the key "plain" lacks the scope "admin"; it has read, scrape, jobs.',
    ]);
    const scraped = await service.scrape({ url: `${site.url}/tiny` }, { key: operator.key });
    expect(scraped.status).toBe(403);
  });
});

describe.skipIf(isRemote)("the operator's API", () => {
  it("every route of the description exists and refuses keys without the scope admin", async () => {
    const { key } = await make("/admin/keys", { name: "not admin" });
    const { text } = await service.ask("/openapi.json", { key: null });
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith("/admin/")
        ? Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() }))
        : [],
    );
    expect(routes.length).toBeGreaterThanOrEqual(18);
    for (const { path, method } of routes) {
      const asked = { method, ...(method === "GET" ? {} : { body: {} }) };
      const at = path.replaceAll(/\{\w+\}/g, "default");
      const refused = await service.ask(at, { ...asked, key });
      expect([401, 403], `${method} ${path} ${refused.text}`).toContain(refused.status);
      expect((await service.ask(at, { ...asked, key: null })).status, path).toBe(401);
    }
  });

  it("the client manages accounts and keys, and reads settings and checks", async () => {
    const operator = await make("/admin/keys", { name: "scripts", scopes: ["admin"] });
    const { admin } = new QuarryClient({ apiUrl: service.url, apiKey: operator.key });
    const account = await admin.createAccount({ name: "by script", concurrency: 3 });
    expect(account.limits).toMatchObject({ concurrency: 3, creditBudget: null });
    expect((await admin.changeAccount(account.id, { concurrency: null })).limits.concurrency).toBe(
      null,
    );
    const made = await admin.createKey({ name: "k", account: account.id, scopes: ["read"] });
    expect(made.key.startsWith(made.prefix)).toBe(true);
    expect(await admin.keys({ account: "by script" })).toMatchObject([
      { id: made.id, name: "k", scopes: ["read"] },
    ]);
    expect((await admin.changeKey(made.id, { requestsPerMinute: 9 })).limits).toMatchObject({
      requestsPerMinute: 9,
    });
    const rotated = await admin.rotateKey(made.id);
    expect(rotated.key).not.toBe(made.key);
    await admin.revokeKey(made.id);
    expect((await admin.keys({ account: "by script" }))[0]?.revokedAt).not.toBe(null);
    expect((await admin.disableAccount("by script")).disabledAt).not.toBe(null);
    expect((await admin.enableAccount("by script")).disabledAt).toBe(null);
    expect((await admin.accounts()).map(({ name }) => name)).toContain("by script");
    expect((await admin.settings()).length).toBeGreaterThan(20);
    expect(await admin.explainEgress("10.1.2.3")).toMatchObject({ allowed: false });
    expect((await admin.diagnosis()).problems).toBeInstanceOf(Array);
    await expect(admin.createKey({ name: "x", allowHosts: ["https://a.test/"] })).rejects.toThrow(
      "allowHosts[0]",
    );
  });
});

describe.skipIf(isRemote)("cache of several accounts", () => {
  const cacheStateOf = async (key: string, body: object): Promise<unknown[]> => {
    const { status, body: answer } = await service.scrape(body, { key });
    return [status, answer.data?.metadata.cacheState, answer.code];
  };

  it("does not answer one account from another's cache or reveal it", async () => {
    await make("/admin/accounts", { name: "cache a" });
    await make("/admin/accounts", { name: "cache b" });
    const a = await make("/admin/keys", { name: "a", account: "cache a" });
    const a2 = await make("/admin/keys", { name: "a2", account: "cache a" });
    const b = await make("/admin/keys", { name: "b", account: "cache b" });
    const url = `${site.url}/tiny?private`;
    expect(await cacheStateOf(a.key, { url })).toEqual([200, "miss", undefined]);
    expect(await cacheStateOf(a2.key, { url })).toEqual([200, "hit", undefined]);
    const unknown = await cacheStateOf(b.key, { url: `${url}2`, minAge: 0 });
    expect(await cacheStateOf(b.key, { url, minAge: 0 })).toEqual(unknown);
    expect(await cacheStateOf(service.key, { url, minAge: 0 })).toEqual(unknown);
    expect(await cacheStateOf(b.key, { url })).toEqual([200, "miss", undefined]);
    expect(await cacheStateOf(service.key, { url })).toEqual([200, "miss", undefined]);
  });

  it("does not join equal concurrent requests of two accounts", async () => {
    await make("/admin/accounts", { name: "flight" });
    const other = await make("/admin/keys", { name: "b", account: "flight" });
    const url = `${site.url}/tiny?flight`;
    const before = site.requests.length;
    await Promise.all([service.scrape({ url }), service.scrape({ url }, { key: other.key })]);
    const fetched = site.requests.slice(before).filter(({ url: path }) => path === "/tiny?flight");
    expect(fetched).toHaveLength(2);
  });
});

it.skipIf(isRemote)("shares the cache between accounts when the operator enables it", async () => {
  await using shared = await startShared();
  const made = await shared.admin("POST", "/admin/accounts", { name: "other" });
  expect(made.status).toBe(200);
  const key = await shared.admin("POST", "/admin/keys", { name: "b", account: "other" });
  const url = `${site.url}/tiny?shared`;
  await shared.scrape({ url });
  const hit = await shared.scrape(
    { url },
    { key: (key.body.data as unknown as { key: string }).key },
  );
  expect(hit.body.data?.metadata.cacheState).toBe("hit");
});

async function startShared(): Promise<Service & AsyncDisposable> {
  const started = await startService(site, { cacheShared: true });
  return Object.assign(started, { [Symbol.asyncDispose]: () => started.close() });
}
