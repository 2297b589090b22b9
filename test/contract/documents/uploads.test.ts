// Files sent before the request that parses them: addresses, references, and permissions.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/contract/request/limits.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { shareService, type Answer, type Service } from "../../service.ts";

const PDF = pdfFile(
  ["one", "two"].map((name) => ({ lines: [{ x: 72, y: 120, text: `This is page ${name}.` }] })),
);

let service: Service;
beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

type Address = {
  readonly uploadUrl: string;
  readonly uploadRef: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly expiresAt: string;
  readonly maxSizeBytes: number;
};

const post = (path: string, body: object, key = service.key): Promise<Answer> =>
  service.ask(path, { method: "POST", body, key });

async function announce(filename = "report.pdf", key = service.key): Promise<Address> {
  const { status, body } = await post("/v2/parse/upload-url", { filename }, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data as unknown as Address;
}

const put = async (
  url: string,
  body: Uint8Array,
): Promise<{ status: number; body: Answer["body"] }> => {
  const answer = await fetch(url, {
    method: "PUT",
    body: new Uint8Array(body),
    headers: { "content-type": "application/json" },
  });
  return { status: answer.status, body: (await answer.json()) as Answer["body"] };
};

describe("multipart form that ends within a file", () => {
  it.each(["file", "other"])("rejects a truncated form and keeps serving (%s)", async (field) => {
    const answer = await fetch(`${service.url}/v2/parse`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.key}`,
        "content-type": "multipart/form-data; boundary=q",
      },
      body: `--q\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\n\r\na,b`,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "BAD_REQUEST",
      error: "The multipart form of the request cannot be read.",
    });
    // An unhandled error would end the process in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect((await service.ask("/v0/health/liveness", {})).status).toBe(200);
  });
});

describe("upload references", () => {
  it("answers 409 to a second file on the same address and keeps the first", async () => {
    const { uploadUrl, uploadRef } = await announce("first.csv");
    const answers = await Promise.all(
      ["a,b\n1,2", "c,d\n3,4"].map(async (text) => await put(uploadUrl, Buffer.from(text))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const first = answers[0]?.status === 200 ? "1" : "3";
    const again = await put(uploadUrl, Buffer.from("e,f\n5,6"));
    expect([again.status, again.body.code]).toEqual([409, "CONFLICT"]);
    expect(again.body.error).toContain("an address works once");
    const { body } = await post("/v2/parse", { uploadRef });
    expect(JSON.stringify(body)).toContain(`| ${first} |`);
    expect((await put(uploadUrl, Buffer.from("g"))).status).toBe(409);
  });

  it("parses a file that was sent to the issued address without a key", async () => {
    const address = await announce();
    expect(address).toMatchObject({ method: "PUT", maxSizeBytes: LIMITS.uploadBytes });
    const lifeMs = Date.parse(address.expiresAt) - Date.now();
    expect(lifeMs).toBeGreaterThan(LIMITS.uploads.lifeMs - 60_000);
    expect(lifeMs).toBeLessThanOrEqual(LIMITS.uploads.lifeMs);

    const early = await post("/v2/parse", { uploadRef: address.uploadRef });
    expect([early.status, early.body.code]).toEqual([404, "NOT_FOUND"]);
    expect((await put(address.uploadUrl, PDF)).status).toBe(200);
    const { status, body } = await post("/v2/parse", {
      uploadRef: address.uploadRef,
      formats: ["markdown"],
      parsers: [{ type: "pdf", maxPages: 1, pages: true }],
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      markdown: "This is page one.",
      pages: [{ pageNumber: 1, markdown: "This is page one." }],
      metadata: { sourceURL: "report.pdf", numPages: 1, totalPages: 2, creditsUsed: 1 },
    });
  });

  it("rejects forged references and unsupported files", async () => {
    const { uploadRef, uploadUrl } = await announce();
    await put(uploadUrl, PDF);
    const forged = await post("/v2/parse", { uploadRef: `${uploadRef.slice(0, -2)}AA` });
    expect([forged.status, forged.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(forged.body.error).toContain("signature");

    const kind = await post("/v2/parse/upload-url", { filename: "tool.exe" });
    expect([kind.status, kind.body.code]).toEqual([400, "UNSUPPORTED_FILE_TYPE"]);
    expect(kind.body.error).toContain("Unsupported upload type");
  });

  it("rejects altered addresses and empty or oversized files", async () => {
    const { uploadUrl } = await announce("letter.docx");
    const altered = await put(uploadUrl.replace(/expires=\d/, "expires=9"), PDF);
    expect([altered.status, altered.body.code]).toEqual([403, "FORBIDDEN"]);
    const empty = await put(uploadUrl, new Uint8Array());
    expect([empty.status, empty.body.error]).toEqual([400, "Uploaded file must not be empty."]);
    const large = await put(uploadUrl, new Uint8Array(LIMITS.uploadBytes + 1));
    expect([large.status, large.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(large.body.error).toContain("50MB");
  });

  it("limits unparsed uploads to ten", async () => {
    const refs: Address[] = [];
    let last = await post("/v2/parse/upload-url", { filename: "a.csv" });
    while (last.status === 200) {
      refs.push(last.body.data as unknown as Address);
      expect(refs.length).toBeLessThan(LIMITS.uploads.unparsed);
      last = await post("/v2/parse/upload-url", { filename: "a.csv" });
    }
    expect([last.status, last.body.code]).toEqual([429, "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED"]);
    const [first] = refs;
    expect((await put(first?.uploadUrl ?? "", Buffer.from("a,b\n1,2\n"))).status).toBe(200);
    const parsed = await post("/v2/parse", { uploadRef: first?.uploadRef ?? "" });
    expect(parsed.body.data?.markdown).toContain("| 1 | 2 |");
    await announce("b.csv");
  });
});
