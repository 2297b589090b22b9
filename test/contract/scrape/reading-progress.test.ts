// Progress of parsing a long file over the caller's connection: raw, through our client, on the
// command line.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProgressLine } from "../../../src/contract/page/progress.ts";
import { run } from "../../command-line.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Ask, type Service } from "../../service.ts";

/** Recognizing this many pages takes longer than the report interval. */
const PAGES = 5;
const LINES = { accept: "application/x-ndjson" };
const scanOf = (pages: number): Buffer =>
  pdfFile([
    { lines: [{ x: 72, y: 120, text: "The only page with text." }] },
    ...Array.from({ length: pages - 1 }, () => ({ picture: "grey" as const })),
  ]);
const SCAN = scanOf(PAGES);

let service: Service;
let base: string;
let folder: string;
beforeAll(async () => {
  if (isRemote) return;
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-progress-"));
  await writeFile(path.join(folder, "scan.pdf"), SCAN);
  ({ base } = await openSite((request, response) => {
    if (request.url === "/page") response.end("<!doctype html><p>One page.");
    else response.writeHead(200, { "content-type": "application/pdf" }).end(SCAN);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

const post = (file: Buffer, options: object, ask: Partial<Ask> = {}): Promise<Response> => {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(file)]), "scan.pdf");
  form.set("options", JSON.stringify(options));
  return fetch(`${service.url}/v2/parse`, {
    method: "POST",
    headers: { authorization: `Bearer ${ask.key ?? service.key}`, ...(ask.headers ?? LINES) },
    body: form,
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
};
const linesOf = (text: string): ProgressLine[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ProgressLine]));

/** Checks the progress of a whole file; returns the answer. */
function check(lines: readonly ProgressLine[]): Extract<ProgressLine, { type: "answer" }> {
  const answer = lines.at(-1);
  if (answer?.type !== "answer") throw new Error(`The last line is ${JSON.stringify(answer)}.`);
  const told = lines.slice(0, -1);
  expect(told.length).toBeGreaterThan(0);
  let done = -1;
  for (const line of told) {
    expect(line).toEqual({ type: "progress", pagesDone: expect.any(Number), pagesWanted: PAGES });
    if (line.type !== "progress") continue;
    expect(line.pagesDone).toBeGreaterThan(done);
    done = line.pagesDone;
  }
  expect(done).toBeLessThanOrEqual(PAGES);
  return answer;
}

describe.skipIf(isRemote)("progress of a long file", () => {
  it("streams progress lines of an uploaded file and the answer in the last", async () => {
    const inLines = await post(SCAN, {});
    expect(inLines.status).toBe(200);
    expect(inLines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(inLines.headers.get("x-request-id")).toMatch(/\S/);
    const { status, body } = check(linesOf(await inLines.text()));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: { markdown: "The only page with text.", metadata: { numPages: PAGES } },
    });
  }, 60_000);

  it("streams progress lines of a fetched file", async () => {
    const answer = await service.scrape({ url: `${base}/scan.pdf`, maxAge: 0 }, { headers: LINES });
    const { status, body } = check(linesOf(answer.text));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: { markdown: "The only page with text.", metadata: { numPages: PAGES } },
    });
  }, 60_000);

  it("our client calls its listener and the command line shows the progress", async () => {
    const told: number[] = [];
    const document = await service.client.parse(
      { filename: "scan.pdf", data: SCAN },
      {},
      { onProgress: ({ pagesDone }) => void told.push(pagesDone) },
    );
    expect(document.metadata).toMatchObject({ numPages: PAGES });
    expect(told.length).toBeGreaterThan(0);
    expect(told.toSorted((one, other) => one - other)).toEqual(told);
    const server = ["--api-url", service.url, "--api-key", service.key];
    const file = path.join(folder, "scan.pdf");
    const parse = await run(["parse", file, "--explain", ...server], { QUARRY_DATA_DIR: folder });
    expect(parse.stdout).toBe("The only page with text.\n");
    expect(parse.stderr).toMatch(new RegExp(`^Reading the document: \\d+ of ${PAGES} pages\n`));
    expect(parse.stderr).toMatch(/^timings \(ms\)/m);
  }, 60_000);

  it("stops the work when the caller disconnects", async () => {
    const controller = new AbortController();
    const id = "leaves-while-it-is-read";
    const headers = { ...LINES, "x-request-id": id };
    const response = await post(scanOf(60), {}, { headers, signal: controller.signal });
    expect((await response.body?.getReader().read())?.done).toBe(false);
    controller.abort();
    await expect
      .poll(
        () =>
          service
            .log()
            .split("\n")
            .filter((line) => line.includes(id))
            .join("\n"),
        {
          timeout: 20_000,
        },
      )
      .toContain("SCRAPE_JOB_CANCELLED");
  }, 60_000);
});

describe.skipIf(isRemote)("NDJSON requests", () => {
  it("sends only the answer line when there is no progress", async () => {
    const answer = await service.scrape({ url: `${base}/page` }, { headers: LINES });
    expect(linesOf(answer.text)).toEqual([
      {
        type: "answer",
        status: 200,
        body: expect.objectContaining({
          success: true,
          data: expect.objectContaining({ markdown: "One page." }),
        }),
      },
    ]);
  });

  it("rejects an invalid NDJSON request with a status", async () => {
    const cases: [Promise<Response>, number, string][] = [
      [post(SCAN, {}, { key: "qy-wrong" }), 401, "Unauthorized"],
      [post(SCAN, { parsers: [{ type: "pdf", maxPages: 0 }] }), 400, "Bad Request"],
      [post(Buffer.from("%PDF-1.7 nothing more"), {}), 500, "damaged"],
      [
        fetch(`${service.url}/v2/parse`, {
          method: "POST",
          headers: {
            ...LINES,
            authorization: `Bearer ${service.key}`,
            "content-type": "application/json",
          },
          body: JSON.stringify({ uploadRef: "nobody-knows-it" }),
        }),
        400,
        "signature",
      ],
    ];
    for (const [sent, status, text] of cases) {
      const response = await sent;
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      const body = (await response.json()) as { success: boolean; error: string };
      expect([response.status, body.success]).toEqual([status, false]);
      expect(body.error).toContain(text);
    }
  });

  it("describes the NDJSON lines in OpenAPI", async () => {
    const { body } = await service.ask("/openapi.json");
    const { paths } = body as unknown as { paths: Record<string, { post: unknown }> };
    for (const route of ["/v2/scrape", "/v2/parse"]) {
      const described = JSON.stringify(paths[route]?.post);
      expect(described).toContain('"application/x-ndjson":{"schema"');
      expect(described).toContain('"pagesWanted"');
    }
  });
});
