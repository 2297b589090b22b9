import type { Page } from "playwright-core";
import type { CapturedFile } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import type { Deadline } from "../../deadline.ts";

export type PdfOptions = Pick<Extract<Action, { type: "pdf" }>, "format" | "landscape" | "scale">;

/**
 * Prints the current page with backgrounds. Rejects at the deadline; the print job is then left to
 * the browser.
 */
export async function printPdf(
  page: Page,
  { format, landscape, scale }: PdfOptions,
  deadline: Deadline,
): Promise<CapturedFile> {
  const bytes = await deadline.race(page.pdf({ format, landscape, scale, printBackground: true }));
  return { mimeType: "application/pdf", bytes };
}
