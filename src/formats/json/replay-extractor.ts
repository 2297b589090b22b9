// The json format with an extractor: its program is replayed on the page, without rules or a model.
import type { Document } from "../../contract/page/document.ts";
import type { FormatOf } from "../../contract/page/formats.ts";
import { ExtractorPage } from "../../extractors/extractor-page.ts";
import { runProgram } from "../../extractors/run-program.ts";
import type { PageView } from "../page/view.ts";

const MAX_NAMED = 10;

export function replayExtractor(view: PageView, { evidence }: FormatOf<"json">): Partial<Document> {
  const { extractor, url } = view.input;
  if (extractor === undefined) return { json: null };
  if (view.kind !== "html") {
    view.warnings.push("json: the extractor reads HTML pages only.");
    return { json: null };
  }
  const { language } = view.getMetadata();
  const page = new ExtractorPage({
    document: view.getDocument(),
    url,
    language: typeof language === "string" ? language : undefined,
  });
  const result = runProgram(extractor.program, page);
  const { value = null, counts, templateMatch, confidence, missing } = result;
  view.extractorRun = { counts, templateMatch };
  const names = Object.entries(missing);
  if (names.length > 0)
    view.warnings.push(
      `json: not filled by the extractor: ${names
        .slice(0, MAX_NAMED)
        .map(([pointer, reason]) => `${pointer.slice(1) || "all fields"} (${reason})`)
        .join(", ")}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""}.`,
    );
  const { id, version } = extractor;
  return {
    json: value,
    ...(evidence ? { jsonEvidence: toEvidence(result.evidence) } : {}),
    extraction: { extractor: id, version, templateMatch, confidence, missing },
  };
}

const toEvidence = (
  found: ReturnType<typeof runProgram>["evidence"],
): NonNullable<Document["jsonEvidence"]> =>
  Object.fromEntries(
    Object.entries(found).map(([pointer, { position, ...rest }]) => [
      pointer,
      {
        source: "extractor",
        ...rest,
        ...(position === undefined
          ? {}
          : { position: [position[0], position[1]] as [number, number] }),
      },
    ]),
  );
