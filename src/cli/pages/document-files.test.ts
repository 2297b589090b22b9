import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFolder, writeFormat } from "./document-files.ts";

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff]);
const DATA_URL = `data:image/png;base64,${BYTES.toString("base64")}`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("writes a screenshot from a data: URL or a signed link as bytes", async () => {
  const server = createServer((_request, response) => response.end(BYTES));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const file = path.join(folder, "page.png");
    for (const address of [DATA_URL, `http://127.0.0.1:${port}/file`]) {
      await writeFormat(file, "screenshot", address);
      expect(await readFile(file)).toEqual(BYTES);
      await rm(file);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("writes each format of a document to its own file", async () => {
  const document = { markdown: "# A", links: ["b", "c"], screenshot: DATA_URL, metadata: {} };
  const names = await writeFolder(folder, document as Parameters<typeof writeFolder>[1]);
  expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
  expect(await readFile(path.join(folder, "links.txt"), "utf8")).toBe("b\nc\n");
  expect(await readFile(path.join(folder, "screenshot.png"))).toEqual(BYTES);
});
