import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { writeZip, type ZipFile } from "./zip.ts";

async function collect(files: readonly ZipFile[], at = Date.UTC(2026, 0, 31, 12)): Promise<Buffer> {
  async function* feed(): AsyncGenerator<ZipFile> {
    yield* files;
  }
  const parts: Uint8Array[] = [];
  for await (const part of writeZip(feed(), at)) parts.push(part);
  return Buffer.concat(parts);
}

/** Reads an archive with an independent implementation. */
async function readWithPython(
  zip: Buffer,
): Promise<{ name: string; text: string; at: number[] }[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "zip-"));
  try {
    const file = path.join(folder, "a.zip");
    await writeFile(file, zip);
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    infos = z.infolist()
    few = infos if len(infos) < 100 else [infos[0], infos[-1]]
    print(json.dumps({"count": len(infos), "files": [
        {"name": i.filename, "text": z.read(i).decode(), "at": list(i.date_time)} for i in few]}))
`;
    const { count, files } = JSON.parse(
      execFileSync("python3", ["-c", script, file], { encoding: "utf8", maxBuffer: 1e8 }),
    );
    expect(count).toBeGreaterThanOrEqual(files.length);
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

describe("zip archive", () => {
  it("begins each file with its header and ends with the directory", async () => {
    const zip = await collect([{ name: "a.md", bytes: Buffer.from("# A\n".repeat(100)) }]);
    expect(zip.readUInt32LE(0)).toBe(0x04034b50);
    expect(zip.subarray(30, 34).toString()).toBe("a.md");
    const end = zip.length - 22;
    expect(zip.readUInt32LE(end)).toBe(0x06054b50);
    expect(zip.readUInt16LE(end + 10)).toBe(1);
    const directoryAt = zip.readUInt32LE(end + 16);
    expect(zip.readUInt32LE(directoryAt)).toBe(0x02014b50);
    expect(directoryAt + zip.readUInt32LE(end + 12)).toBe(end);
    expect(zip.length).toBeLessThan(300);
  });

  it.skipIf(!hasPython)(
    "writes an archive that another implementation reads, with names in UTF-8",
    async () => {
      const files = [
        { name: "site/日本/é.md", bytes: Buffer.from("Größe €\n") },
        { name: "site/empty.md", bytes: Buffer.alloc(0) },
        { name: "site/large.md", bytes: Buffer.from("word ".repeat(200_000)) },
      ];
      expect(await readWithPython(await collect(files))).toEqual(
        files.map(({ name, bytes }) => ({
          name,
          text: bytes.toString(),
          at: [2026, 1, 31, 12, 0, 0],
        })),
      );
    },
  );

  it.skipIf(!hasPython)("counts more than 65,535 files in Zip64 records", async () => {
    const files = Array.from({ length: 65_536 }, (_, index) => ({
      name: `${index}.md`,
      bytes: Buffer.from(String(index)),
    }));
    const read = await readWithPython(await collect(files));
    expect(read.map(({ name, text }) => [name, text])).toEqual([
      ["0.md", "0"],
      ["65535.md", "65535"],
    ]);
  });
});
