import { describe, expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { monitorRequestSchema } from "../contract/jobs/monitor.ts";
import type { Document } from "../contract/page/document.ts";
import type { Scrape } from "../scrape/scrape.ts";
import { observePage, toReading } from "./observe.ts";

type Asked = { readonly maxAge: number; readonly revalidates: boolean | undefined };

async function fetchOnce(sharesFetches: boolean, isFresh: boolean): Promise<Asked> {
  const [target] = monitorRequestSchema.parse({
    name: "town",
    schedule: { text: "hourly" },
    targets: [{ type: "scrape", urls: ["https://town.example/"] }],
  }).targets;
  if (target?.type !== "scrape") throw new Error("no scrape target");
  const asked: Asked[] = [];
  const scrape: Scrape = async ({ maxAge }, { revalidates }) => {
    asked.push({ maxAge, revalidates });
    const metadata = { statusCode: 200, verdict: "content" };
    const document = { markdown: "# Town", metadata } as unknown as Document;
    return { document, json: undefined, scrapeId: "", explanation: undefined };
  };
  const options = target.scrapeOptions;
  await observePage(
    scrape,
    {
      url: "https://town.example/",
      options,
      scope: undefined,
      reading: toReading(options.formats, undefined),
      isFresh,
      readPicture: async () => undefined,
    },
    {
      identity: ANONYMOUS_IDENTITY,
      requestId: "check",
      signal: new AbortController().signal,
      sharesFetches,
    },
    Date.now,
  );
  return asked[0] ?? { maxAge: Number.NaN, revalidates: undefined };
}

describe("fetch of a monitored page", () => {
  it("takes a fetch of another monitor of the same minute in scheduled checks, and asks with validators", async () => {
    expect(await fetchOnce(true, false)).toEqual({ maxAge: 90_000, revalidates: true });
  });

  it("fetches in checks that a caller starts, and asks with validators", async () => {
    expect(await fetchOnce(false, false)).toEqual({ maxAge: 0, revalidates: true });
  });

  it("confirms with a fetch of the whole page", async () => {
    expect(await fetchOnce(true, true)).toEqual({ maxAge: 0, revalidates: false });
  });
});
