// CPU milliseconds a page of linkedom and turndown, the measure of the machine in the run: figures of two machines, or of
// two days, compare as multiples of it.
import process from "node:process";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";
import { readPage } from "./pages.ts";

const PAGES_PER_RUN = 40;

/** Over forty pages spread over the list, the second time round. Pages it fails on count with what they took. */
export function measureTurndown(folder: string, files: readonly string[]): number {
  const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
  turndown.use(gfm);
  const step = Math.max(1, Math.floor(files.length / PAGES_PER_RUN));
  const texts = files
    .filter((_, index) => index % step === 0)
    .map((file) => readPage(folder, file).toString("utf8"));
  const round = (): number => {
    const before = process.cpuUsage();
    for (const text of texts) {
      try {
        turndown.turndown(parseHTML(text).document.body as never);
      } catch {
        continue;
      }
    }
    const used = process.cpuUsage(before);
    return (used.user + used.system) / 1000 / texts.length;
  };
  round();
  return round();
}
