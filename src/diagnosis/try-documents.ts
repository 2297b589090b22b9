// Checks that documents can be read, for `quarry doctor`.
import type { Config } from "../config.ts";
import { Deadline } from "../deadline.ts";
import { createDocumentPool } from "../documents/pool.ts";
import { limitDocumentProcesses } from "../documents/process-limits.ts";
import { LimitError } from "../errors.ts";

/** Long, because a process of its own starts late on a busy machine. */
const PARSE_MS = 120_000;
const TEXT = "Quarry reads PDF";

/** A PDF with one line of text. */
function buildPdf(): Buffer {
  const stream = `BT /F1 24 Tf 72 700 Td (${TEXT}) Tj ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(
    `${file}${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`,
  );
}

export type DocumentTrial = {
  /** False if the library is there and fails; a missing one is no problem. */
  readonly works: boolean;
  /** Result for people: "PDF read in 0.4 s". */
  readonly result: string;
};

/** Reads a small PDF in a process of its own, as the service does. */
export async function tryDocuments(
  config: Pick<Config, "documentMemoryMiB">,
): Promise<DocumentTrial> {
  const pool = createDocumentPool(limitDocumentProcesses(config.documentMemoryMiB));
  using deadline = Deadline.start(PARSE_MS);
  const from = performance.now();
  try {
    const { html } = await pool.parse(
      {
        kind: "pdf",
        bytes: buildPdf(),
        url: "http://127.0.0.1/doctor.pdf",
        mode: "fast",
        maxPages: 1,
        ocr: undefined,
        budgetMs: PARSE_MS,
      },
      deadline,
    );
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    return html.includes(TEXT)
      ? { works: true, result: `PDF read in ${seconds} s` }
      : { works: false, result: `a test PDF was read wrongly: ${JSON.stringify(html)}` };
  } catch (error) {
    if (error instanceof LimitError)
      return { works: false, result: `a test PDF was not read within ${PARSE_MS / 1_000} s` };
    const message = error instanceof Error ? error.message : String(error);
    return { works: message.includes("is not installed"), result: message };
  } finally {
    await pool.close();
  }
}
