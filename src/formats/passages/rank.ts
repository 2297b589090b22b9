// Ranks the passages of a page for a question: BM25 over paragraphs, in any language.
import { scoreTexts } from "../../ranking/bm25.ts";
import { splitParagraphs, type ContentReading } from "../page/content-text.ts";
import { splitWords } from "../summary/sentences.ts";

export type Passage = {
  /** As in the Markdown. */
  readonly text: string;
  /** Index in the page, from 0. */
  readonly at: number;
  readonly score: number;
};

const MAX_PASSAGES = 5_000;
/** Question words, which are no topic of a passage. */
const QUESTION_WORDS =
  "what which who whom whose when where why how is are was were do does did can could should would will the a an of in on at to for and or by with from about it its this that there be been has have had i you we they me my your our was wie wer wo wann warum welche welcher welches ist sind der die das ein eine und oder mit von für que qué quien cuando donde como es son el la los las un una de del y o con por para qui quand où comment est sont le les des et ou avec pour che chi quando dove come è sono il lo gli di что какой какая какие как где когда кто почему это ли для по на из и в во с от 什么 如何 怎么 哪些 哪里 为什么 是 的 吗 呢 了 有 在 和 何 どこ いつ 誰 なぜ どう どの です ます か は が の を に で と も";

/** Loading the segmenter takes 30 ms, so the words are split with the first question. */
let questionWords: ReadonlySet<string> | undefined;
const getQuestionWords = (): ReadonlySet<string> =>
  (questionWords ??= new Set(
    QUESTION_WORDS.split(" ").flatMap((word) => [word, ...splitWords(word, "")]),
  ));

/** Returns the passages in page order with their scores, 0 if none of the words match. */
export function rankPassages(reading: ContentReading, query: string): Passage[] {
  const passages = splitPassages(reading.markdown).slice(0, MAX_PASSAGES);
  const { language } = reading;
  const words = splitWords(query, language);
  const wanted = new Set(words.filter((word) => !getQuestionWords().has(word)));
  if (wanted.size === 0) for (const word of words) wanted.add(word);
  const texts = passages.map((text) => countWords(splitWords(text, language), wanted));
  const scores = scoreTexts(
    texts.map(({ length }) => length),
    [...wanted].map((word) => texts.map(({ counts }) => counts.get(word) ?? 0)),
  );
  return passages.map((text, at) => ({ text, at, score: scores[at] ?? 0 }));
}

function countWords(
  words: readonly string[],
  wanted: ReadonlySet<string>,
): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

/** A line in bold names the definition in the next paragraph, as in manuals. */
const DEFINED = /^\*\*.{1,300}\*\*$/;
const MAX_HEADING = 600;

/** Splits into paragraphs, each heading and each line in bold with the text after it. */
export function splitPassages(markdown: string): string[] {
  const found: string[] = [];
  let heading = "";
  for (const paragraph of splitParagraphs(markdown)) {
    if (/^#{1,6} /.test(paragraph)) {
      heading = paragraph;
      continue;
    }
    if (DEFINED.test(paragraph) && heading.length < MAX_HEADING) {
      heading = heading === "" ? paragraph : `${heading}\n${paragraph}`;
      continue;
    }
    found.push(heading === "" ? paragraph : `${heading}\n${paragraph}`);
    heading = "";
  }
  if (heading !== "") found.push(heading);
  return found;
}

/** Returns the best passages in page order: at most `max`, none much worse than the best. */
export function selectBestPassages(passages: readonly Passage[], max: number): Passage[] {
  const ranked = passages
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const [best] = ranked;
  if (best === undefined) return [];
  const said = new Set<string>();
  return ranked
    .filter(({ text }) => {
      const body = text.replace(/^#{1,6} .*\n/, "");
      return !said.has(body) && said.add(body);
    })
    .slice(0, max)
    .filter(({ score }) => score >= best.score * 0.35)
    .toSorted((one, other) => one.at - other.at);
}
