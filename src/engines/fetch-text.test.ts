// Small files of a site, and hosts that ask to retry later.
import { expect, it } from "vitest";
import type { Capture } from "../capture.ts";
import type { Engine } from "./engine.ts";
import { createFetchFile } from "./fetch-text.ts";
import type { HttpFetch } from "./http.ts";

const OPTIONS = { timeoutMs: 20_000, maxBytes: 1_000 };

type Answer = { readonly status: number; readonly retryAfter?: string };

/** A site that gives these answers in order and then repeats the last. */
function site(answers: readonly Answer[]) {
  let asked = 0;
  const http = {
    fetch: async ({ url }: HttpFetch) => {
      const { status, retryAfter } = answers[Math.min(asked++, answers.length - 1)]!;
      const headers = retryAfter === undefined ? [] : [["Retry-After", retryAfter] as const];
      const capture = { statusCode: status, finalUrl: url, contentType: "text/plain", headers };
      return {
        kind: "captured",
        capture: { ...capture, body: new Uint8Array() } as unknown as Capture,
      };
    },
  } as unknown as Engine<HttpFetch>;
  return { fetchFile: createFetchFile(http), asked: () => asked };
}

it.each<[string, readonly Answer[], number, number]>([
  ["once when it exists", [{ status: 200 }], 200, 1],
  ["again after 503", [{ status: 503, retryAfter: "0" }, { status: 200 }], 200, 2],
  ["again after 429", [{ status: 429 }, { status: 404 }], 404, 2],
  ["three times at most", [{ status: 503 }], 503, 3],
  [
    "once when Retry-After is a minute",
    [{ status: 503, retryAfter: "60" }, { status: 200 }],
    503,
    1,
  ],
  ["once after 500", [{ status: 500 }, { status: 200 }], 500, 1],
])("fetchFile requests a file %s", async (_, answers, status, times) => {
  const { fetchFile, asked } = site(answers);
  expect((await fetchFile("http://site.example/robots.txt", OPTIONS)).status).toBe(status);
  expect(asked()).toBe(times);
});

it("fetchFile waits no longer than the file's timeout", async () => {
  const { fetchFile, asked } = site([{ status: 503, retryAfter: "5" }]);
  const { status } = await fetchFile("http://site.example/robots.txt", {
    ...OPTIONS,
    timeoutMs: 1_000,
  });
  expect([status, asked()]).toEqual([503, 1]);
});
