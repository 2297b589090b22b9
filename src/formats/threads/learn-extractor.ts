// Learns an extractor in a worker thread, from pages with examples or with certain results of the
// rules.
import type { ExtractorProgram } from "../../contract/extractors/program.ts";
import {
  learnProgram,
  type FieldProblem,
  type PageExample,
} from "../../extractors/learn/learn-program.ts";
import { listWantedFields } from "../../extractors/learn/wanted-fields.ts";
import { writeNotation, type Notation } from "../../extractors/notation.ts";
import { MIN_TEMPLATE_MATCH } from "../../extractors/fingerprint.ts";
import { runProgram, type ProgramResult } from "../../extractors/run-program.ts";
import { ExtractorPage } from "../../extractors/extractor-page.ts";
import { copyPointed } from "../../extractors/pointed.ts";
import { draftJson } from "../json/draft/draft.ts";
import { PageView } from "../page/view.ts";

export type LearnPage = {
  readonly html: string;
  /** Final URL. */
  readonly url: string;
  /** Values of the page; undefined to find them by rules. */
  readonly data?: unknown;
  /** Answer of a model: references in the shape of the data (copyPointed). */
  readonly pointed?: unknown;
};

export type DescribeInput = Pick<LearnPage, "html" | "url"> & { readonly tokens: number };

export type ReplayInput = Pick<LearnPage, "html" | "url"> & {
  readonly programs: readonly ExtractorProgram[];
};

/** Output of the closest template's program; undefined when no template fits. */
export type ReplayOutput =
  | (ProgramResult & { /** Index of the program. */ readonly at: number })
  | undefined;

export type LearnInput = {
  readonly pages: readonly LearnPage[];
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
};

export type LearnOutput = {
  readonly program: ExtractorProgram | undefined;
  readonly problems: readonly FieldProblem[];
  /** For each page given to a model: the words at its references, and its invalid references. */
  readonly copied: readonly { readonly data: unknown; readonly dropped: readonly string[] }[];
};

export function learnExtractor({ pages, schema }: LearnInput): LearnOutput {
  const wanted = schema === undefined ? {} : listWantedFields(schema);
  const copied: LearnOutput["copied"][number][] = [];
  const examples = pages.map((each): PageExample => {
    const { view, page } = openLearnPage(each);
    const { data, pointed } = each;
    if (pointed !== undefined) {
      const { dropped, ...found } = copyPointed(pointed, wanted, page);
      copied.push({ data: found.data, dropped });
      return { page, ...found };
    }
    if (data !== undefined || schema === undefined) return { page, data };
    return { page, ...findByRules(view, schema) };
  });
  return { ...learnProgram(examples, wanted), copied };
}

export function replayPrograms({ html, url, programs }: ReplayInput): ReplayOutput {
  const { page } = openLearnPage({ html, url });
  let best: ReplayOutput;
  for (const [at, program] of programs.entries()) {
    const result = runProgram(program, page);
    if (result.templateMatch < MIN_TEMPLATE_MATCH) continue;
    if (best === undefined || result.templateMatch > best.templateMatch) best = { ...result, at };
  }
  return best;
}

/** The page as a language model sees it, within a budget of tokens. */
export async function describePage({ html, url, tokens }: DescribeInput): Promise<Notation> {
  const { countTokens } = await import("../../ranking/model-tokens.ts");
  return writeNotation(openLearnPage({ html, url }).page, countTokens, tokens);
}

function openLearnPage({ html, url }: LearnPage): {
  readonly view: PageView;
  readonly page: ExtractorPage;
} {
  const view = new PageView(
    {
      body: new Uint8Array(),
      text: true,
      contentType: "text/html",
      mimeType: "text/html",
      url,
      formats: [],
      onlyMainContent: false,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      explain: false,
      discover: false,
      linkHeader: "",
    },
    html,
  );
  const { language } = view.getMetadata();
  const page = new ExtractorPage({
    document: view.getDocument(),
    url,
    language: typeof language === "string" ? language : undefined,
  });
  return { view, page };
}

/** Values with firm evidence only: less certain values are not used for learning. */
function findByRules(
  view: PageView,
  schema: Readonly<Record<string, unknown>>,
): Pick<PageExample, "data" | "refs"> {
  const { value, evidence } = draftJson(view, { schema });
  const firm = new Set(
    Object.entries(evidence)
      .filter(([, { confidence }]) => confidence === "high")
      .map(([pointer]) => pointer),
  );
  const refs = Object.fromEntries(
    [...firm].flatMap((pointer) => {
      const ref = evidence[pointer]?.ref;
      // Members of lists shift when some of them are not firm.
      return ref === undefined || /\/\d+(?:\/|$)/.test(pointer) ? [] : [[pointer, ref] as const];
    }),
  );
  return { data: keepFirm(value, firm, "") ?? {}, refs };
}

function keepFirm(value: unknown, firm: ReadonlySet<string>, pointer: string): unknown {
  if (Array.isArray(value)) {
    const kept = (value as unknown[])
      .map((item, at) => keepFirm(item, firm, `${pointer}/${at}`))
      .filter((item) => item !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (typeof value === "object" && value !== null) {
    const kept = Object.entries(value).flatMap(([key, inner]) => {
      const found = keepFirm(
        inner,
        firm,
        `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      );
      return found === undefined ? [] : [[key, found] as const];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  }
  return firm.has(pointer) ? value : undefined;
}
