// The files that formats link to: some are part of the capture, others are fetched after all
// formats are derived.
import type { Capture, CapturedFile } from "../capture.ts";
import type { Format } from "../contract/page/formats.ts";
import { listDeclared } from "../formats/index.ts";

type FetchedSource = "audio";

/** Files by the name of their format, which is the name of the document's field as well. */
export async function collectFiles(
  formats: readonly Format[],
  capture: Capture,
  fetch: Readonly<Record<FetchedSource, () => Promise<CapturedFile>>>,
): Promise<Record<string, CapturedFile>> {
  const files: Record<string, CapturedFile> = {};
  for (const { declaration } of listDeclared(formats)) {
    const { name, file } = declaration;
    if (file === undefined) continue;
    const found = file.source === "capture" ? file.read(capture) : await fetch[file.source]();
    if (found !== undefined) files[name] = found;
  }
  return files;
}

/** A file of the capture can be missing, such as the picture of a PDF, which is not drawn. */
export const warnMissingFiles = (
  formats: readonly Format[],
  capture: Pick<Capture, "evidence">,
): string[] =>
  listDeclared(formats).flatMap(({ declaration: { file } }) =>
    file?.source === "capture" && file.read(capture) === undefined ? [file.missing] : [],
  );
