import { describe, expect, it } from "vitest";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { toneWav } from "../../test/media.ts";
import { Deadline } from "../deadline.ts";
import { createTranscoder, findFfmpeg } from "./transcoder.ts";

async function transcodeWith(ffmpeg: string | undefined): Promise<string> {
  using deadline = Deadline.start(10_000);
  const transcoder = createTranscoder({ ffmpeg, folder: os.tmpdir(), maxBytes: 1e6, atOnce: 1 });
  const failed = await transcoder.toMp3(toneWav(1), deadline).catch((error: unknown) => error);
  return failed instanceof Error ? failed.message : "";
}

describe("transcoding without ffmpeg", () => {
  it("names QUARRY_FFMPEG=off as the reason when it is turned off", async () => {
    expect(await transcodeWith("off")).toBe(
      "No audio is available for this URL: its audio is wav, and converting it to MP3 needs ffmpeg. It is turned off by QUARRY_FFMPEG=off.",
    );
  });

  it("names the configured path that is no program", async () => {
    expect(await transcodeWith("/nowhere/ffmpeg")).toContain(
      'needs ffmpeg. QUARRY_FFMPEG names "/nowhere/ffmpeg", which is not a program that this server may run.',
    );
  });
});

describe("finding ffmpeg", () => {
  it("takes the configured path only if it may be run", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-ffmpeg-"));
    const file = path.join(folder, "ffmpeg");
    try {
      await writeFile(file, "#!/bin/sh\n");
      expect(await findFfmpeg(file)).toBeUndefined();
      await chmod(file, 0o755);
      expect(await findFfmpeg(file)).toBe(file);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
