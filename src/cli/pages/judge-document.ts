// Judges whether the document is the requested content: for a script, a block page is a failure.
import type { Document } from "../../contract/page/document.ts";
import { VERDICT_GROUPS, VERDICT_MEANINGS, VERDICTS } from "../../contract/page/verdict.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Failure } from "../terminal/report-failure.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type JudgeOptions = {
  readonly format?: readonly string[];
  readonly schema?: string;
  readonly prompt?: string;
  readonly question?: string;
  readonly json?: boolean;
  readonly fail?: boolean;
  readonly onBlocked?: string;
};

export type Judgment = {
  readonly failure: Failure;
  /** The document is not printed, because its text is not the requested content. */
  readonly isWithheld: boolean;
};

/** Undefined for content. */
export async function judgeDocument(
  document: Document,
  formats: readonly string[],
  options: JudgeOptions,
): Promise<Judgment | undefined> {
  const { statusCode, verdict: reported, sourceURL, error } = document.metadata;
  const verdict = VERDICTS.find((kind) => kind === reported) ?? "content";
  const place = typeof sourceURL === "string" ? toPlainLine(sourceURL) : "The page";
  const show = options.json !== true && options.onBlocked !== "return";
  const fail = (code: string, message: string, isWithheld: boolean): Judgment => ({
    failure: { code, message, exitCode: EXIT.target },
    isWithheld: isWithheld && options.json !== true,
  });
  if (VERDICT_GROUPS[verdict] === "blocked") {
    const hint = show ? " --on-blocked return prints its text." : "";
    const seen =
      verdict !== "login" && error !== undefined
        ? ` (${toPlainLine(error).replace(/\.$/, "")})`
        : "";
    return fail(verdict, `${place} returned ${VERDICT_MEANINGS[verdict]}${seen}.${hint}`, show);
  }
  if (VERDICT_GROUPS[verdict] === "thin" && (await requiresText(formats)))
    return fail(verdict, `${place} returned ${VERDICT_MEANINGS[verdict]}.`, true);
  const isErrorPage = VERDICT_GROUPS[verdict] === "error" || (statusCode ?? 200) >= 400;
  if (options.fail === true && isErrorPage)
    return fail(
      verdict === "soft_404" ? verdict : "error_page",
      `${place} answered with status ${statusCode}${verdict === "soft_404" ? " and an error page" : ""}.`,
      true,
    );
  const wantsOnly = (name: string): boolean => formats.length === 1 && formats[0] === name;
  if (wantsOnly("json") && isEmptyData(document.json))
    return fail("nothing_found", `${place} contains none of the requested data.`, false);
  if (wantsOnly("question") && isEmptyData(document.answer))
    return fail("nothing_found", `${place} does not answer the question.`, true);
  return undefined;
}

/** Loads the formats only for a page without text, because other commands start without them. */
async function requiresText(formats: readonly string[]): Promise<boolean> {
  const { isWithoutText } = await import("../../formats/index.ts");
  return formats.some((name) => !isWithoutText(name.replace("@fullPage", "")));
}

/** True if the value is empty or contains only empty lists and objects. */
export function isEmptyData(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmptyData);
}
