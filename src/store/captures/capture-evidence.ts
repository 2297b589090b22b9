// Stores the files of a capture with it in the cache by name, for as long as their links live.
import type { CapturedFile, CaptureEvidence } from "../../capture.ts";
import type { BlobRef } from "../blobs/blobs.ts";
import type { StoredFiles } from "../blobs/stored-files.ts";

/** Results of a request's actions are personal and never cached. */
export type StoredEvidence = Omit<CaptureEvidence, "screenshot" | "actions"> & {
  readonly screenshot?: { readonly ref: BlobRef; readonly mimeType: CapturedFile["mimeType"] };
};

/** Stores the evidence; `until` is milliseconds since the epoch. */
export async function keepEvidence(
  files: StoredFiles,
  evidence: CaptureEvidence,
  until: number,
): Promise<StoredEvidence> {
  const { screenshot, actions: _, ...rest } = evidence;
  if (screenshot === undefined) return rest;
  const { bytes, mimeType } = screenshot;
  return { ...rest, screenshot: { ref: await files.keep(bytes, until), mimeType } };
}

/** Leaves out the screenshot when it has expired. */
export async function findEvidence(
  files: StoredFiles,
  { screenshot, branding, ...kept }: StoredEvidence & { readonly branding?: unknown },
): Promise<CaptureEvidence> {
  // Captures of earlier versions have the only probe there was beside the others.
  const rest = branding === undefined ? kept : { ...kept, probes: { branding } };
  const bytes = screenshot === undefined ? undefined : await files.load(screenshot.ref);
  if (screenshot === undefined || bytes === undefined) return rest;
  return { ...rest, screenshot: { mimeType: screenshot.mimeType, bytes } };
}
