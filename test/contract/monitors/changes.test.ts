// Histories of pages: the list, versions, and the difference between any two.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

describe.skipIf(isRemote)("page histories", () => {
  let service: Service;
  let base: string;
  let text = "";

  beforeAll(async () => {
    service = await shareService();
    ({ base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(`<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p>${text}</main>`);
    }));
  });
  afterAll(closeAll);

  async function visit(url: string, next: string): Promise<void> {
    text = next;
    const formats = ["markdown", { type: "changeTracking", tag: "port" }];
    await service.page({ url, formats, maxAge: 0 });
  }

  it("lists pages with their versions and compares any two of them", async () => {
    const url = `${base}/quay`;
    await visit(url, "<p>Berth fee: 20 crowns</p><p>12 visitors so far</p>");
    await visit(url, "<p>Berth fee: 20 crowns</p><p>15 visitors so far</p>");
    await visit(url, "<p>Berth fee: 25 crowns</p><p>19 visitors so far</p>");
    await visit(`${base}/other`, "<p>Closed</p>");
    const { changes } = service.client;
    const { histories, before } = await changes.list();
    expect(histories.map((one) => one.url)).toEqual([`${base}/other`, url]);
    expect(before).toBeNull();
    const [history] = (await changes.list({ text: "QUAY" })).histories;
    expect(history).toMatchObject({ url, tag: "port", versions: 3 });
    expect(history?.points.map(({ changed }) => changed)).toEqual([false, true, true]);
    expect(history?.lastChangedAt).toBe(history?.lastFetchedAt);
    const id = history?.id ?? "";
    const { versions } = await changes.versions(id);
    const [third, second, first] = versions.map((one) => one.id);

    const newest = await changes.diff(id);
    expect(newest).toMatchObject({ changed: true, from: { id: second }, to: { id: third } });
    expect(newest.diff?.text).toContain("-Berth fee: 20 crowns");
    expect(newest.diff?.text).toContain("+Berth fee: 25 crowns");
    expect(newest.noise).toMatchObject({ kinds: ["counter"] });
    const early = { from: first ?? "", to: second ?? "" };
    expect(await changes.diff(id, early)).toMatchObject({ changed: false });
    expect(await changes.diff(id, { ...early, ignoreNoise: false })).toMatchObject({
      changed: true,
    });
    const back = await changes.diff(id, { from: third ?? "", to: first ?? "" });
    expect(back.diff?.text).toContain("+Berth fee: 20 crowns");
    const { markdown } = await changes.version(id, first ?? "");
    expect(markdown).toContain("12 visitors so far");
    expect(back.current).toBe(markdown);
  });

  it("pages through the list by time and rejects unknown ids", async () => {
    const { changes } = service.client;
    const { histories, before } = await changes.list({ limit: 1 });
    expect(histories).toHaveLength(1);
    const next = await changes.list({ limit: 1, before: before ?? 0 });
    expect(next.histories.map(({ id }) => id)).not.toContain(histories[0]?.id);
    const unknown = await service.ask("/v2/changes/nothing");
    expect(unknown).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    const version = await service.ask(`/v2/changes/${histories[0]?.id}/diff?from=nothing`);
    expect(version).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await service.ask("/v2/changes?limit=0")).status).toBe(400);
  });
});
