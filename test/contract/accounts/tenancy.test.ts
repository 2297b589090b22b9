// Objects of one account do not exist for another: every route with an id answers like for an
// unknown one.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { isRemote, startService, type Answer, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

const UNKNOWN = "0199f0c0-0000-7000-8000-00000000ffff";
const PROFILE = "owner-profile";

let site: Site;
let service: Service;
let owner: string;
let stranger: string;
/** Ids of the owner's objects by route prefix; the longest prefix wins. */
let objects: [start: string, id: string][];

const as = async (key: string, method: string, path: string, body?: object): Promise<Answer> =>
  service.ask(path, { method, key, ...(body === undefined ? {} : { body }) });

async function createKey(account: string): Promise<string> {
  await service.admin("POST", "/admin/accounts", { name: account });
  const made = await service.admin("POST", "/admin/keys", { name: account, account });
  return (made.body.data as unknown as { key: string }).key;
}

async function make(path: string, body: object, field = "id"): Promise<string> {
  const answer = await as(owner, "POST", path, body);
  const id = answer.body[field];
  if (typeof id !== "string") throw new Error(`${path} gave no ${field}: ${answer.text}`);
  return id;
}

beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  service = await startService(site, { browser: await testBrowserExecutable() });
  owner = await createKey("owner");
  stranger = await createKey("stranger");
  const url = `${site.url}/tiny?owner`;
  const body = { url, origin: "website", formats: ["markdown", "changeTracking"] };
  const scrape = await make("/v2/scrape", body, "scrape_id");
  const crawl = await make("/v2/crawl", { url, limit: 2 });
  const batch = await make("/v2/batch/scrape", { urls: [url] });
  const program = { version: 1, fields: { title: { type: "string", path: "h1" } } };
  const stored = await as(owner, "POST", "/v2/extractors", { program });
  const extractor = String((stored.body.data as unknown as { id: string }).id);
  const extract = await make("/v2/extract", { urls: [url], prompt: "the title" });
  const agent = await make("/v2/agent", { urls: [url], prompt: "the title" });
  const announced = await as(owner, "POST", "/v2/parse/upload-url", { filename: "a.csv" });
  const upload = /\/upload\/([\w-]{36})\?/.exec(announced.text)?.[1] ?? "";
  const search = await make("/v2/search", { query: "tiny" });
  const session = await make("/v2/browser", { profile: { name: PROFILE, saveChanges: true } });
  const thread = String((await as(owner, "GET", `/v2/agent/${agent}`)).body["threadId"]);
  const watched = await as(owner, "POST", "/v2/monitor", {
    name: "owner",
    schedule: { text: "daily" },
    targets: [{ type: "scrape", urls: [url] }],
  });
  const monitor = String((watched.body.data as unknown as { id: string }).id);
  const listed = await as(owner, "GET", "/v2/changes");
  const [history] = listed.body["histories"] as readonly { readonly id: string }[];
  objects = [
    ["/v2/changes/", String(history?.id)],
    ["/v2/scrape/", scrape],
    ["/v1/scrape/", scrape],
    ["/v2/search/", search],
    ["/v2/parse/upload/", upload],
    ["/v2/crawl/", crawl],
    ["/v1/crawl/", crawl],
    ["/v2/batch/scrape/", batch],
    ["/v1/batch/scrape/", batch],
    ["/v2/extractors/", extractor],
    ["/v2/extract/", extract],
    ["/v1/extract/", extract],
    ["/v2/browser/", session],
    ["/v2/interact/", session],
    ["/v2/local-browser/", session],
    ["/v2/browser/profiles/", PROFILE],
    ["/v2/interact/profiles/", PROFILE],
    ["/v2/agent/", agent],
    ["/v1/llmstxt/", crawl],
    ["/v2/llmstxt/", crawl],
    ["/v2/agent/threads/", thread],
    ["/v2/monitor/", monitor],
  ];
}, 120_000);
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await site.close();
});

/** The first event of an endless stream: the list of the account's jobs. */
async function readFirstEvent(path: string): Promise<string> {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${stranger}` };
  const { body } = await fetch(service.url + path, { headers, signal: controller.signal });
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes("\n\n")) break;
  }
  controller.abort();
  expect(text, path).toContain("event: snapshot");
  return text;
}

function idFor({ path }: Endpoint): string {
  const found = objects
    .filter(([start]) => path.startsWith(start))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (found === undefined)
    throw new Error(`The route ${path} takes an id: add the object it is about to this test.`);
  return found[1];
}

/** The first parameter is the id of the object; others name its parts. */
function fill(path: string, id: string): string {
  return path
    .replace(/:\w+/, encodeURIComponent(id))
    .replaceAll(/:snapshotId/g, "step-1")
    .replaceAll(/:(?:checkId|webhookId)/g, UNKNOWN)
    .replaceAll(/:\w+/g, "1");
}

const withId = ENDPOINTS.filter(({ path }) => path.includes(":"));
const bodyFor = ({ method, path, example }: Endpoint): object | undefined => {
  if (method !== "POST" && method !== "PATCH") return undefined;
  if (example === undefined && path.endsWith("/feedback")) return { rating: "good" };
  return example ?? {};
};

/** Upload addresses use a signature; feedback accepts any id and returns nothing. */
const WITHOUT_OBJECT = new Set(["PUT /v2/parse/upload/:id", "POST /v2/search/:jobId/feedback"]);

describe.skipIf(isRemote)("objects of another account", () => {
  it("answers like for an unknown id on every route with an id", async () => {
    for (const endpoint of withId) {
      const { method, path } = endpoint;
      const id = idFor(endpoint);
      const foreign = await as(stranger, method, fill(path, id), bodyFor(endpoint));
      const unknownId = id === PROFILE ? "unknown" : UNKNOWN;
      const unknown = await as(stranger, method, fill(path, unknownId), bodyFor(endpoint));
      const name = `${method} ${path}`;
      expect(foreign.status, `${name} ${foreign.text}`).toBe(unknown.status);
      expect(foreign.text.replaceAll(id, unknownId), name).toBe(unknown.text);
      if (WITHOUT_OBJECT.has(name) || unknown.status === 501) continue;
      expect(foreign.status, `${name} ${foreign.text}`).toBe(404);
    }
  }, 120_000);

  it("keeps the objects for their owner", async () => {
    for (const [start, id] of objects) {
      if (/search|upload|profiles|local-browser/.test(start)) continue;
      const answer = await as(owner, "GET", `${start}${id}`);
      expect(answer.status, `${start} ${answer.text}`).toBe(200);
      expect(answer.body["status"]).not.toBe("cancelled");
    }
  });

  it("lists no object of another account in lists, figures or streams", async () => {
    const lists = ENDPOINTS.filter(({ method, path }) => method === "GET" && !path.includes(":"));
    const ids = objects.map(([, id]) => id).filter((id) => id !== UNKNOWN);
    for (const { path } of lists) {
      if (path.endsWith("/params-preview")) continue;
      const text = path.endsWith("/events")
        ? await readFirstEvent(path)
        : (await as(stranger, "GET", path)).text;
      for (const id of ids) expect(text, path).not.toContain(id);
      expect(text, path).not.toContain("?owner");
    }
    const mine = await as(owner, "GET", "/v2/team/activity");
    expect(mine.text).toContain("?owner");
  });

  it("does not let another account watch a job over a WebSocket", async () => {
    const watch = async (path: string): Promise<[number, string]> => {
      const socket = new WebSocket(service.url.replace(/^http/, "ws") + path, stranger);
      const messages: string[] = [];
      socket.on("message", (data) => messages.push((data as Buffer).toString()));
      const code = await new Promise<number>((resolve, reject) => {
        socket.once("close", resolve);
        socket.once("error", reject);
      });
      return [code, messages.join("")];
    };
    for (const start of ["/v2/crawl/", "/v1/crawl/", "/v2/batch/scrape/"]) {
      const id = objects.find(([known]) => known === start)?.[1] ?? "";
      const [code, text] = await watch(start + id);
      expect([code, text.replaceAll(id, UNKNOWN)]).toEqual(await watch(start + UNKNOWN));
      expect(text).not.toContain("catchup");
    }
  });

  it("does not use another account's pages in searches, maps and change tracking", async () => {
    const url = `${site.url}/tiny?owner`;
    const find = (key: string): Promise<Answer> => as(key, "POST", "/v2/search", { query: "tiny" });
    await expect
      .poll(async () => (await find(owner)).text, { timeout: 20_000 })
      .toContain("/tiny?owner");
    expect((await find(stranger)).text).not.toContain("/tiny?owner");
    const map = (key: string): Promise<Answer> =>
      as(key, "POST", "/v2/map", { url: site.url, ignoreQueryParameters: false });
    expect((await map(owner)).text).toContain("/tiny?owner");
    expect((await map(stranger)).text).not.toContain("/tiny?owner");
    const body = { url, formats: ["markdown", "changeTracking"] };
    const statusFor = async (key: string): Promise<unknown> =>
      (await as(key, "POST", "/v2/scrape", body)).body.data?.changeTracking?.changeStatus;
    expect(await statusFor(owner)).toBe("same");
    expect(await statusFor(stranger)).toBe("new");
  }, 60_000);

  it("does not append to, continue or reference another account's objects", async () => {
    const id = (start: string): string => objects.find(([known]) => known === start)?.[1] ?? "";
    const attempts: [string, object][] = [
      ["/v2/batch/scrape", { urls: [site.url], appendToId: id("/v2/batch/scrape/") }],
      ["/v2/agent", { prompt: "more", threadId: id("/v2/agent/threads/") }],
    ];
    for (const [path, body] of attempts)
      expect((await as(stranger, "POST", path, body)).status, path).toBe(404);
    const announced = await as(owner, "POST", "/v2/parse/upload-url", { filename: "b.csv" });
    const { uploadRef } = (announced.body.data ?? announced.body) as unknown as {
      uploadRef: string;
    };
    expect((await as(stranger, "POST", "/v2/parse", { uploadRef })).status).toBe(404);
  });
});
