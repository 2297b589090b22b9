// How the files of a capture are kept with it in the cache: by their names, for as long as their links live.
import type { CapturedFile, CaptureEvidence } from "../../capture.ts";
import type { BlobRef } from "../blobs/blobs.ts";
import type { KeptFiles } from "../blobs/kept-files.ts";

/** What the steps of a request brought is personal and never cached. */
export type KeptEvidence = Omit<CaptureEvidence, "screenshot" | "actions"> & {
  readonly screenshot?: { readonly ref: BlobRef; readonly mimeType: CapturedFile["mimeType"] };
};

/** `until` is milliseconds since the epoch. */
export async function keepEvidence(
  files: KeptFiles,
  evidence: CaptureEvidence,
  until: number,
): Promise<KeptEvidence> {
  const { screenshot, actions: _, ...rest } = evidence;
  if (screenshot === undefined) return rest;
  const { bytes, mimeType } = screenshot;
  return { ...rest, screenshot: { ref: await files.keep(bytes, until), mimeType } };
}

/** Without the screenshot where its time is over. */
export async function findEvidence(
  files: KeptFiles,
  { screenshot, ...rest }: KeptEvidence,
): Promise<CaptureEvidence> {
  const bytes = screenshot === undefined ? undefined : await files.load(screenshot.ref);
  if (screenshot === undefined || bytes === undefined) return rest;
  return { ...rest, screenshot: { mimeType: screenshot.mimeType, bytes } };
}
