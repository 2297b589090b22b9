import { expect, it } from "vitest";
import { QuarryClient } from "../../client/client.ts";
import { openPage } from "./open-page.ts";

const HANDLE = "quarry://capture/019a0000-0000-7000-8000-000000000001";
const { signal } = new AbortController();

const failWith = (status: number, code: string, error: string, details?: object) =>
  openPage(HANDLE, {
    client: new QuarryClient({
      apiUrl: "http://127.0.0.1:1",
      retries: 0,
      fetch: async () => Response.json({ success: false, code, error, details }, { status }),
    }),
    signal,
  });

it("reports an unknown scrape as a missing capture whatever text the server uses", async () => {
  for (const text of ["Job not found.", "No such scrape"])
    await expect(failWith(404, "NOT_FOUND", text)).rejects.toThrow(
      "Capture not found. Handles expire with their scrape",
    );
});

it("passes on why a known scrape has no document", async () => {
  for (const [text, status] of [
    ["The scrape of https://a.example/ failed and has no result: HTTP 500.", "failed"],
    ["The stored document of https://a.example/ is gone.", "completed"],
  ] as const)
    await expect(failWith(404, "NOT_FOUND", text, { status })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: text,
    });
});

it("passes on other errors of a capture with the same text", async () => {
  await expect(failWith(403, "FORBIDDEN", "Job not found.")).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Job not found.",
  });
});
